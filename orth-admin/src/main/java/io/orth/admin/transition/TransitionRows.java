package io.orth.admin.transition;

import io.orth.admin.kernel.EntityKind;
import io.orth.admin.kernel.MovedRow;
import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.SqlRows;
import io.orth.admin.kernel.StateChange;
import io.orth.admin.transition.JournalRepository.Batch;
import io.orth.protocol.StateTransition;
import io.orth.protocol.StateTransition.Work;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Reads transitions with all that is known about them. */
final class TransitionRows {

    private static final int LONGEST_TIMELINE = 1_000;

    /** Nobody writes for that long: what was written then is no older. */
    private static final Duration LONGEST_WRITE = Duration.ofHours(1);

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

    /** A transition as it lies in the table, but for whom it names by number. */
    record Row(long batch, EntityKind kind, int writer, Long executor, Integer attempt, StateTransition transition) {

        static Row of(long batch, int writer, StateChange change) {
            MovedRow row = change.row();
            return new Row(
                    batch,
                    change.entity(),
                    writer,
                    row.executorId(),
                    row.attempt(),
                    new StateTransition(
                            change.entity().name(),
                            row.id(),
                            row.sequence(),
                            change.from(),
                            change.to(),
                            row.at(),
                            change.millisInFrom(),
                            change.cause(),
                            row.work() == null ? ofJob(row.jobId()) : row.work(),
                            null,
                            null,
                            row.traceId()));
        }

        Row with(StateTransition known) {
            return new Row(batch, kind, writer, executor, attempt, known);
        }
    }

    private final JdbcClient jdbc;
    private final TransitionPacks packs;
    private final TransitionFacts facts;
    private final OwnBatches own;

    TransitionRows(JdbcClient jdbc, List<WorkSource> sources, OwnBatches own) {
        this.jdbc = jdbc;
        this.packs = new TransitionPacks(jdbc);
        this.facts = new TransitionFacts(jdbc, sources);
        this.own = own;
    }

    List<StateTransition> of(EntityKind entity, long id) {
        List<Row> rows = entity.isPacked() ? packs.of(entity, id, facts.momentsOf(entity, id)) : ofEntity(entity, id);
        return facts.told(rows).stream().map(Row::transition).toList();
    }

    private List<Row> ofEntity(EntityKind entity, long id) {
        return jdbc.sql(OF_ENTITY)
                .param("entity", entity.name())
                .param("id", id)
                .param("limit", LONGEST_TIMELINE)
                .query((row, n) -> read(row))
                .list();
    }

    /** What was written in these batches, in no particular order. */
    List<Row> of(List<Batch> batches) {
        List<Row> rows = new ArrayList<>();
        List<Batch> unread = new ArrayList<>();
        for (Batch batch : batches) {
            List<Row> known = own.take(batch.id());
            if (known == null) {
                unread.add(batch);
            } else {
                rows.addAll(known);
            }
        }
        if (!unread.isEmpty()) {
            rows.addAll(read(unread));
        }
        return facts.told(rows);
    }

    private List<Row> read(List<Batch> batches) {
        Instant since = batches.stream()
                .map(Batch::writtenAt)
                .min(Comparator.naturalOrder())
                .orElseThrow();
        Instant earliest = since.minus(LONGEST_WRITE);
        List<Row> rows = new ArrayList<>(jdbc.sql(OF_BATCHES)
                .param("batches", SqlArrays.bigints(batches, Batch::id))
                .param("since", SqlRows.timestamp(earliest))
                .query((row, n) -> read(row))
                .list());
        rows.addAll(packs.of(batches.stream().map(Batch::id).toList(), earliest));
        return rows;
    }

    private static Work ofJob(Integer job) {
        return job == null ? Work.UNKNOWN : new Work(job, null, null, null, null, null);
    }

    private static Row read(ResultSet row) throws SQLException {
        EntityKind kind = EntityKind.valueOf(row.getString("entity"));
        return new Row(
                row.getLong("batch"),
                kind,
                row.getInt("writer_id"),
                SqlRows.longOrNull(row, "executor_id"),
                null,
                new StateTransition(
                        kind.name(),
                        row.getLong("entity_id"),
                        row.getInt("seq"),
                        row.getString("from_status"),
                        row.getString("to_status"),
                        SqlRows.instant(row, "at"),
                        SqlRows.longOrNull(row, "millis_in_from"),
                        row.getString("cause"),
                        ofJob(SqlRows.intOrNull(row, "job_id")),
                        null,
                        null,
                        row.getString("trace_id")));
    }
}
