package io.orth.admin.transition;

import io.orth.admin.kernel.EntityKind;
import io.orth.admin.kernel.Journal;
import io.orth.admin.kernel.LastWrites;
import io.orth.admin.kernel.Node;
import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.StateChange;
import io.orth.admin.kernel.Transactions;
import io.orth.protocol.StateTransition;
import java.util.List;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Writes the transitions of entities in the caller's transaction, and reads the transitions of one entity. */
@Component
public class TransitionJournal implements Journal {

    /** Maximum batch size. The relay processes a batch as a whole, so it has to stay small. */
    static final int MOST_AT_ONCE = 1_000;

    private static final String APPEND = """
            with journal as (
                insert into orth_journal (changes) values (:changes) returning batch
            ), written as (
                insert into orth_transition (entity, entity_id, seq, from_status, to_status, at, millis_in_from, cause,
                                             job_id, executor_id, writer_id, batch, trace_id)
                select t.entity, t.entity_id, t.seq, t.from_status, t.to_status, t.at, t.millis_in_from, t.cause,
                       t.job_id, t.executor_id, :writer, journal.batch, t.trace_id
                  from journal,
                       unnest(:entities, :ids, :sequences, :froms, :tos, :ats, :millis, :causes, :jobs, :executors, :traces)
                    as t(entity, entity_id, seq, from_status, to_status, at, millis_in_from, cause, job_id, executor_id, trace_id)
            )
            select batch from journal
            """;

    private final LastWrites writes;
    private final Writers writers;
    private final TransitionRows rows;
    private final TransitionMetrics metrics;

    public TransitionJournal(
            JdbcClient jdbc, LastWrites writes, Node node, List<WorkSource> sources, TransitionMetrics metrics) {
        this.writes = writes;
        this.writers = new Writers(jdbc, node);
        this.rows = new TransitionRows(jdbc, sources);
        this.metrics = metrics;
    }

    @Override
    public void append(List<StateChange> changes) {
        if (changes.isEmpty()) {
            return;
        }
        int writer = writers.current();
        if (changes.get(0).entity().isPacked()) {
            TransitionPacks.of(changes, MOST_AT_ONCE)
                    .forEach(pack -> TransitionPacks.write(writes, writer, pack, batch -> keep(batch, writer, pack)));
        } else {
            for (int from = 0; from < changes.size(); from += MOST_AT_ONCE) {
                write(writer, List.copyOf(changes.subList(from, Math.min(from + MOST_AT_ONCE, changes.size()))));
            }
        }
        Transactions.afterCommit(() -> metrics.count(changes));
    }

    private void write(int writer, List<StateChange> changes) {
        MapSqlParameterSource values = new MapSqlParameterSource()
                .addValue("changes", changes.size())
                .addValue("writer", writer)
                .addValue("entities", SqlArrays.texts(changes, c -> c.entity().name()))
                .addValue("ids", SqlArrays.bigints(changes, c -> c.row().id()))
                .addValue("sequences", SqlArrays.integers(changes, c -> c.row().sequence()))
                .addValue("froms", SqlArrays.texts(changes, StateChange::from))
                .addValue("tos", SqlArrays.texts(changes, StateChange::to))
                .addValue("ats", SqlArrays.instants(changes, c -> c.row().at()))
                .addValue("millis", SqlArrays.bigints(changes, StateChange::millisInFrom))
                .addValue("causes", SqlArrays.texts(changes, StateChange::cause))
                .addValue("jobs", SqlArrays.integers(changes, c -> c.row().jobId()))
                .addValue("executors", SqlArrays.bigints(changes, c -> c.row().executorId()))
                .addValue("traces", SqlArrays.texts(changes, c -> c.row().traceId()));
        writes.add(APPEND, values, batch -> keep(batch, writer, changes));
    }

    private void keep(long batch, int writer, List<StateChange> changes) {
        Transactions.afterCommit(() -> rows.keep(batch, writer, changes));
    }

    TransitionRows rows() {
        return rows;
    }

    /** Returns the transitions of one entity, oldest first. */
    public List<StateTransition> list(EntityKind entity, long id) {
        return rows.of(entity, id);
    }
}
