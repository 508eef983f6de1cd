package io.orth.admin.transition;

import io.orth.admin.kernel.EntityKind;
import io.orth.admin.kernel.MovedRow;
import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.SqlRows;
import io.orth.admin.kernel.StateChange;
import io.orth.admin.transition.JournalRepository.Batch;
import io.orth.protocol.StateTransition;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Reads transitions with all facts about them. */
final class TransitionRows {

    private static final int LONGEST_TIMELINE = 1_000;

    /** Upper bound of a writing transaction's duration: the rows of a batch are not older than this. */
    private static final Duration LONGEST_WRITE = Duration.ofHours(1);

    /** About 10 MB. */
    private static final int MOST_OWN_CHANGES = 20_000;

    private static final String SELECT = """
            select t.entity, t.entity_id, t.seq, t.from_status, t.to_status, t.at, t.millis_in_from, t.cause, t.job_id,
                   t.executor_id, t.writer_id, t.batch, t.trace_id
              from orth_transition t
            """;

    private static final String OF_ENTITY = SELECT + """
             where t.entity = :entity
               and t.entity_id = :id
             order by t.seq
             limit :limit
            """;

    private static final String OF_BATCHES = SELECT + """
             where t.batch = any(:batches)
               and t.at >= :since
            """;

    /** A stored change and the number of its writer. */
    record Row(long batch, int writer, StateChange change) {

        static Row of(ResultSet row, MovedRow moved) throws SQLException {
            return new Row(
                    row.getLong("batch"),
                    row.getInt("writer_id"),
                    new StateChange(
                            EntityKind.valueOf(row.getString("entity")),
                            moved,
                            row.getString("from_status"),
                            row.getString("to_status"),
                            row.getString("cause")));
        }
    }

    private record Own(int writer, List<StateChange> changes) {}

    private final JdbcClient jdbc;
    private final TransitionPacks packs;
    private final TransitionFacts facts;
    private final Remembered<Long, Own> own =
            new Remembered<>(MOST_OWN_CHANGES, batch -> batch.changes().size());

    TransitionRows(JdbcClient jdbc, List<WorkSource> sources) {
        this.jdbc = jdbc;
        this.packs = new TransitionPacks(jdbc);
        this.facts = new TransitionFacts(jdbc, sources);
    }

    /** Caches a committed batch of this node until the relay on this node reads it, which saves a query. */
    void keep(long batch, int writer, List<StateChange> changes) {
        own.put(batch, new Own(writer, changes));
    }

    /** Returns the transitions of one entity, oldest first. */
    List<StateTransition> of(EntityKind entity, long id) {
        List<Row> rows = entity.isPacked() ? packs.of(entity, id, facts.momentsOf(entity, id)) : ofEntity(entity, id);
        return rows.stream().map(facts.about(rows)).toList();
    }

    private List<Row> ofEntity(EntityKind entity, long id) {
        return jdbc.sql(OF_ENTITY)
                .param("entity", entity.name())
                .param("id", id)
                .param("limit", LONGEST_TIMELINE)
                .query(TransitionRows::row)
                .list();
    }

    /** Returns the transitions of these batches by batch id; within a batch the order is undefined. */
    Map<Long, List<StateTransition>> of(List<Batch> batches) {
        List<Row> rows = new ArrayList<>();
        List<Batch> unread = new ArrayList<>();
        for (Batch batch : batches) {
            Own known = own.take(batch.id());
            if (known == null) {
                unread.add(batch);
            } else {
                known.changes().forEach(change -> rows.add(new Row(batch.id(), known.writer(), change)));
            }
        }
        if (!unread.isEmpty()) {
            rows.addAll(read(unread));
        }
        return rows.stream()
                .collect(Collectors.groupingBy(Row::batch, Collectors.mapping(facts.about(rows), Collectors.toList())));
    }

    private List<Row> read(List<Batch> batches) {
        Instant since = batches.stream()
                .map(Batch::writtenAt)
                .min(Comparator.naturalOrder())
                .orElseThrow()
                .minus(LONGEST_WRITE);
        List<Row> rows = packs.of(batches, since);
        rows.addAll(jdbc.sql(OF_BATCHES)
                .param("batches", SqlArrays.bigints(batches, Batch::id))
                .param("since", SqlRows.timestamp(since))
                .query(TransitionRows::row)
                .list());
        return rows;
    }

    private static Row row(ResultSet row, int number) throws SQLException {
        Instant at = SqlRows.instant(row, "at");
        return Row.of(
                row,
                new MovedRow(
                        row.getLong("entity_id"),
                        row.getInt("seq"),
                        since(at, SqlRows.longOrNull(row, "millis_in_from")),
                        at,
                        SqlRows.intOrNull(row, "job_id"),
                        SqlRows.longOrNull(row, "executor_id"),
                        row.getString("trace_id")));
    }

    /** Returns when the row entered the status it left; null if it was created. */
    static Instant since(Instant at, Long millisInFrom) {
        return millisInFrom == null ? null : at.minusMillis(millisInFrom);
    }
}
