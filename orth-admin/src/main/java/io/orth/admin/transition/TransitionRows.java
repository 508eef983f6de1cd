package io.orth.admin.transition;

import io.orth.admin.kernel.EntityKind;
import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.SqlRows;
import io.orth.protocol.StateTransition;
import io.orth.protocol.StateTransition.Work;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Reads transitions with all that is known about them. */
final class TransitionRows {

    private static final int LONGEST_TIMELINE = 1_000;

    /** Nobody writes for that long: what was written then is no older. */
    private static final Duration LONGEST_WRITE = Duration.ofHours(1);

    private static final String SELECT = """
            select t.entity, t.entity_id, t.seq, t.from_status, t.to_status, t.at, t.millis_in_from, t.cause, t.job_id,
                   t.executor_id, t.batch, t.trace_id, w.node_id, w.host, w.pid, w.version, w.thread,
                   e.instance_id, e.host as executor_host, e.pid as executor_pid, e.address as executor_address
              from orth_transition t
              left join orth_writer w on w.id = t.writer_id
              left join orth_executor e on e.id = t.executor_id
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

    /** A transition as it lies in the table. */
    record Row(long batch, EntityKind kind, StateTransition transition) {}

    private final JdbcClient jdbc;
    private final Map<EntityKind, WorkSource> sources = new EnumMap<>(EntityKind.class);

    TransitionRows(JdbcClient jdbc, List<WorkSource> sources) {
        this.jdbc = jdbc;
        sources.forEach(source -> this.sources.put(source.kind(), source));
    }

    List<StateTransition> of(EntityKind entity, long id) {
        List<Row> rows = jdbc.sql(OF_ENTITY)
                .param("entity", entity.name())
                .param("id", id)
                .param("limit", LONGEST_TIMELINE)
                .query((row, n) -> read(row))
                .list();
        return withWork(rows).stream().map(Row::transition).toList();
    }

    /** What was written in these batches at {@code since} or later, in no particular order. */
    List<Row> of(Collection<Long> batches, Instant since) {
        return withWork(jdbc.sql(OF_BATCHES)
                .param("batches", SqlArrays.bigints(batches, batch -> batch))
                .param("since", SqlRows.timestamp(since.minus(LONGEST_WRITE)))
                .query((row, n) -> read(row))
                .list());
    }

    private List<Row> withWork(List<Row> rows) {
        Map<EntityKind, Set<Long>> ids = new EnumMap<>(EntityKind.class);
        rows.forEach(row -> ids.computeIfAbsent(row.kind(), kind -> new HashSet<>())
                .add(row.transition().entityId()));
        Map<EntityKind, Map<Long, Work>> works = new HashMap<>();
        ids.forEach((kind, of) ->
                works.put(kind, sources.containsKey(kind) ? sources.get(kind).find(of) : Map.of()));
        List<Row> known = new ArrayList<>(rows.size());
        for (Row row : rows) {
            Work work = works.get(row.kind()).get(row.transition().entityId());
            known.add(
                    work == null
                            ? row
                            : new Row(row.batch(), row.kind(), row.transition().about(work)));
        }
        return known;
    }

    private static Row read(ResultSet row) throws SQLException {
        EntityKind kind = EntityKind.valueOf(row.getString("entity"));
        Integer jobId = SqlRows.intOrNull(row, "job_id");
        return new Row(
                row.getLong("batch"),
                kind,
                new StateTransition(
                        kind.name(),
                        row.getLong("entity_id"),
                        row.getInt("seq"),
                        row.getString("from_status"),
                        row.getString("to_status"),
                        SqlRows.instant(row, "at"),
                        SqlRows.longOrNull(row, "millis_in_from"),
                        row.getString("cause"),
                        jobId == null ? Work.UNKNOWN : new Work(jobId, null, null, null, null, null),
                        writer(row),
                        executor(row),
                        row.getString("trace_id")));
    }

    private static StateTransition.Writer writer(ResultSet row) throws SQLException {
        String node = row.getString("node_id");
        return node == null
                ? null
                : new StateTransition.Writer(
                        node,
                        row.getString("host"),
                        row.getLong("pid"),
                        row.getString("version"),
                        row.getString("thread"));
    }

    private static StateTransition.Executor executor(ResultSet row) throws SQLException {
        Long id = SqlRows.longOrNull(row, "executor_id");
        if (id == null) {
            return null;
        }
        String instance = row.getString("instance_id");
        return instance == null
                ? new StateTransition.Executor(id, "", "", 0, "")
                : new StateTransition.Executor(
                        id,
                        instance,
                        row.getString("executor_host"),
                        row.getLong("executor_pid"),
                        row.getString("executor_address"));
    }
}
