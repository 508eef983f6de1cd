package io.orth.admin.transition;

import io.orth.admin.kernel.EntityKind;
import io.orth.admin.kernel.Node;
import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.SqlRows;
import io.orth.admin.kernel.StateChange;
import io.orth.admin.kernel.StateChanges;
import java.time.Duration;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Writes and reads the journal of state changes. Writing joins the caller's transaction. */
@Repository
public class TransitionJournal implements StateChanges {

    private static final String APPEND = """
            insert into orth_transition (entity, entity_id, seq, from_status, to_status, at, millis_in_from, cause,
                                         job_id, executor_id, node_id, trace_id)
            select t.entity, t.entity_id, t.seq, t.from_status, t.to_status, t.at, t.millis_in_from, t.cause,
                   t.job_id, t.executor_id, :node, t.trace_id
              from unnest(:entities, :ids, :sequences, :froms, :tos, :ats, :millis, :causes, :jobs, :executors, :traces)
                as t(entity, entity_id, seq, from_status, to_status, at, millis_in_from, cause, job_id, executor_id, trace_id)
            """;

    private static final String LIST = """
            select seq, from_status, to_status, at, millis_in_from, cause, node_id, executor_id, trace_id
              from orth_transition
             where entity = :entity
               and entity_id = :id
             order by seq
             limit 1000
            """;

    private final JdbcClient jdbc;
    private final Node node;

    public TransitionJournal(JdbcClient jdbc, Node node) {
        this.jdbc = jdbc;
        this.node = node;
    }

    @Override
    public void append(List<StateChange> changes) {
        if (changes.isEmpty()) {
            return;
        }
        jdbc.sql(APPEND)
                .param("node", node.id())
                .param("entities", SqlArrays.texts(changes, c -> c.entity().name()))
                .param("ids", SqlArrays.bigints(changes, c -> c.row().id()))
                .param("sequences", SqlArrays.integers(changes, c -> c.row().sequence()))
                .param("froms", SqlArrays.texts(changes, StateChange::from))
                .param("tos", SqlArrays.texts(changes, StateChange::to))
                .param("ats", SqlArrays.instants(changes, c -> c.row().at()))
                .param("millis", SqlArrays.bigints(changes, TransitionJournal::millisInFrom))
                .param("causes", SqlArrays.texts(changes, StateChange::cause))
                .param("jobs", SqlArrays.integers(changes, c -> c.row().jobId()))
                .param("executors", SqlArrays.bigints(changes, c -> c.row().executorId()))
                .param("traces", SqlArrays.texts(changes, c -> c.row().traceId()))
                .update();
    }

    /** The timeline of one entity, oldest first. */
    public List<StateTransition> list(EntityKind entity, long id) {
        return jdbc.sql(LIST)
                .param("entity", entity.name())
                .param("id", id)
                .query((row, n) -> new StateTransition(
                        row.getInt("seq"),
                        row.getString("from_status"),
                        row.getString("to_status"),
                        SqlRows.instant(row, "at"),
                        SqlRows.longOrNull(row, "millis_in_from"),
                        row.getString("cause"),
                        row.getString("node_id"),
                        SqlRows.longOrNull(row, "executor_id"),
                        row.getString("trace_id")))
                .list();
    }

    private static Long millisInFrom(StateChange change) {
        return change.row().since() == null
                ? null
                : Duration.between(change.row().since(), change.row().at()).toMillis();
    }
}
