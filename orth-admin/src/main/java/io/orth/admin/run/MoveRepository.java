package io.orth.admin.run;

import io.orth.admin.kernel.MovedRow;
import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.SqlRows;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * SQL of changes of status. A run that goes on stays among the open ones; one that ends leaves them for the history in the same
 * statement; one that is corrected is found there.
 *
 * <p>Rows are changed, and thereby locked, one by one by their keys in the order of the moves, which is that of their ids: a list
 * of moves joined to a list of locked rows would compare each with each.
 */
final class MoveRepository {

    private static final String MOVES = """
            unnest(:ids, :froms, :tos, :causes, :triggerCodes, :handleCodes, :messages, :results, :ifCauses, :ifDispatches)
              as w(id, from_status, to_status, new_cause, new_trigger_code, new_handle_code, message, is_result, if_cause,
                   if_dispatch)
            """;

    private static final String AS_EXPECTED = """
             where r.id = any(array[w.id])
               and r.status = w.from_status
               and (w.if_cause is null or r.cause = w.if_cause)
               and (w.if_dispatch is null or r.dispatch = w.if_dispatch)
            """;

    /** Only what is INIT goes on, and it was from its making. */
    private static final String GO_ON = """
            update orth_run r
               set status = w.to_status, cause = w.new_cause, status_at = clock_timestamp(), seq = r.seq + 1,
                   trigger_code = w.new_trigger_code, handle_code = w.new_handle_code,
                   trigger_msg = coalesce(w.message, r.trigger_msg), triggered_at = coalesce(r.triggered_at, now())
              from
            """ + MOVES + AS_EXPECTED + """
            returning r.id, r.seq, r.created_at as since, r.status_at as at, r.job_id, r.executor_id, r.trace_id
            """;

    /** What ending leaves as it is. */
    private static final String KEPT = """
            id, job_id, job_name, group_id, handler, param, trigger_type, schedule_time, created_at, dispatch, executor_id,
            address, triggered_at, claim_until, trace_id, block_strategy, concurrency, timeout_seconds, glue_type,
            source_version, kill_requested_at, kill_requested_by, kill_reason, kill_next_at, kill_told_at, route_strategy,
            addresses, turn, shard_index, shard_total, shard_address, attempt, attempts, retry_of, parent_run, not_before,
            late_code, late_msg, late_at, alarm_status, root_run""";

    private static final String END = """
            with ended as (
                delete from orth_run r
                 using
            """ + MOVES + AS_EXPECTED + """
                returning r.*, r.status_at as since, w.to_status, w.new_cause, w.new_trigger_code, w.new_handle_code, w.message,
                          w.is_result, clock_timestamp() as at
            ), kept as (
                insert into orth_run_history (%1$s, status, seq, status_at, cause, trigger_code, handle_code, trigger_msg,
                                              handle_msg, finished_at)
                select %1$s, to_status, seq + 1, at, new_cause, new_trigger_code, new_handle_code,
                       case when is_result then trigger_msg else coalesce(message, trigger_msg) end,
                       case when is_result then message else handle_msg end, now()
                  from ended
            ), tallied as (
                insert into orth_run_tally (hour, group_id, status, runs, millis)
                select date_trunc('hour', now(), 'UTC'), group_id, to_status, count(*),
                       coalesce(sum(extract(epoch from now() - triggered_at) * 1000), 0)::bigint
                  from ended
                 group by group_id, to_status
            )
            select id, seq + 1 as seq, since, at, job_id, executor_id, trace_id from ended
            """.formatted(KEPT);

    /** Another result of runs that are over. */
    private static final String CORRECT = """
            with corrected as (
                update orth_run_history r
                   set status = w.to_status, cause = w.new_cause, status_at = clock_timestamp(), seq = r.seq + 1,
                       trigger_code = w.new_trigger_code, handle_code = w.new_handle_code, handle_msg = w.message,
                       finished_at = now()
                  from
            """ + MOVES + """
                 cross join lateral (select status_at as since, finished_at as finished
                                       from orth_run_history
                                      where id = w.id
                                        for update) before
            """ + AS_EXPECTED + """
                returning r.id, r.seq, before.since, r.status_at as at, r.job_id, r.executor_id, r.trace_id, r.group_id,
                          w.from_status, w.to_status, before.finished, r.triggered_at
            ), tallied as (
                insert into orth_run_tally (hour, group_id, status, runs, millis)
                select date_trunc('hour', now(), 'UTC'), group_id, to_status, 1,
                       coalesce(extract(epoch from now() - triggered_at) * 1000, 0)::bigint
                  from corrected
                union all
                select date_trunc('hour', finished, 'UTC'), group_id, from_status, -1,
                       -coalesce(extract(epoch from finished - triggered_at) * 1000, 0)::bigint
                  from corrected
            )
            select id, seq, since, at, job_id, executor_id, trace_id from corrected
            """;

    private final JdbcClient jdbc;

    MoveRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** @param moves in the order of their ids */
    List<MovedRow> move(List<RunMove> moves) {
        return Stream.of(
                        move(
                                GO_ON,
                                moves.stream().filter(m -> !m.to().isTerminal()).toList()),
                        move(
                                END,
                                moves.stream()
                                        .filter(m ->
                                                m.to().isTerminal() && !m.from().isTerminal())
                                        .toList()),
                        move(
                                CORRECT,
                                moves.stream()
                                        .filter(m -> m.from().isTerminal())
                                        .toList()))
                .flatMap(List::stream)
                .toList();
    }

    private List<MovedRow> move(String statement, List<RunMove> moves) {
        if (moves.isEmpty()) {
            return List.of();
        }
        return jdbc.sql(statement)
                .param("ids", SqlArrays.bigints(moves, RunMove::id))
                .param("froms", SqlArrays.texts(moves, m -> m.from().name()))
                .param("tos", SqlArrays.texts(moves, m -> m.to().name()))
                .param("causes", SqlArrays.texts(moves, RunMove::cause))
                .param("triggerCodes", SqlArrays.integers(moves, RunMove::triggerCode))
                .param("handleCodes", SqlArrays.integers(moves, RunMove::handleCode))
                .param("messages", SqlArrays.texts(moves, RunMove::message))
                .param("results", SqlArrays.booleans(moves, RunMove::isResult))
                .param(
                        "ifCauses",
                        SqlArrays.texts(
                                moves,
                                m -> m.ifCause() == null ? null : m.ifCause().name()))
                .param("ifDispatches", SqlArrays.integers(moves, RunMove::ifDispatch))
                .query((row, n) -> moved(row))
                .list();
    }

    private static MovedRow moved(ResultSet row) throws SQLException {
        return new MovedRow(
                row.getLong("id"),
                row.getInt("seq"),
                SqlRows.instant(row, "since"),
                SqlRows.instant(row, "at"),
                row.getInt("job_id"),
                SqlRows.longOrNull(row, "executor_id"),
                row.getString("trace_id"));
    }
}
