package io.orth.admin.run;

import io.orth.admin.kernel.EntityKind;
import io.orth.admin.kernel.Lifecycle;
import io.orth.admin.kernel.MovedRow;
import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.StateChanges;
import io.orth.admin.kernel.StatusTable;
import io.orth.admin.run.RunRepository.Gone;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The only writer of a run's status. Callers own the transaction. Unfinished runs are in {@code orth_run}; the statement that finishes a
 * run moves it to {@code orth_run_history}, where corrections find it.
 */
final class RunLifecycle {

    /** Only runs in INIT stay unfinished after a change, and they have been in INIT since their creation. */
    private static final StatusTable<RunMove> GO_ON =
            table("orth_run").since("t.created_at").set("""
                    cause = w.new_cause, trigger_code = w.new_trigger_code, handle_code = w.new_handle_code,
                    trigger_msg = coalesce(w.message, t.trigger_msg), triggered_at = coalesce(t.triggered_at, now())""").update();

    /** Columns that finishing a run does not change. */
    private static final String KEPT = """
            id, job_id, job_name, group_id, handler, param, trigger_type, schedule_time, created_at, dispatch, executor_id,
            address, triggered_at, claim_until, trace_id, block_strategy, block_scope, concurrency, timeout_seconds, glue_type,
            source_version, kill_requested_at, kill_requested_by, kill_reason, kill_next_at, kill_told_at, route_strategy,
            addresses, turn, shard_index, shard_total, shard_address, attempt, attempts, retry_of, parent_run, not_before,
            late_code, late_msg, late_at, alarm_status, root_run, fire_id, awaits_turn, non_retryable,
            retry_after_ms""";

    private static final StatusTable<RunMove> END =
            table("orth_run").then("tallied", """
                    insert into orth_run_tally (hour, group_id, status, runs, millis)
                    select date_trunc('hour', now(), 'UTC'), group_id, target, count(*),
                           coalesce(sum(extract(epoch from now() - triggered_at) * 1000), 0)::bigint
                      from moved
                     group by group_id, target""").leaveTo("orth_run_history", KEPT + """
                    , status, seq, status_at, cause, trigger_code, handle_code, trigger_msg, handle_msg, finished_at""", KEPT + """
                    , target, seq + 1, moved_at, new_cause, new_trigger_code, new_handle_code,
                    case when is_result then trigger_msg else coalesce(message, trigger_msg) end,
                    case when is_result then message else handle_msg end, now()""");

    /** Replaces the result of finished runs. */
    private static final StatusTable<RunMove> CORRECT = table("orth_run_history")
            .before("finished_at")
            .set("""
                    cause = w.new_cause, trigger_code = w.new_trigger_code, handle_code = w.new_handle_code, handle_msg = w.message,
                    finished_at = now()""")
            .returning("t.group_id, w.origin, w.target, w.before_finished_at as finished, t.triggered_at")
            .then("tallied", """
                    insert into orth_run_tally (hour, group_id, status, runs, millis)
                    select date_trunc('hour', now(), 'UTC'), group_id, target, 1,
                           coalesce(extract(epoch from now() - triggered_at) * 1000, 0)::bigint
                      from moved
                    union all
                    select date_trunc('hour', finished, 'UTC'), group_id, origin, -1,
                           -coalesce(extract(epoch from finished - triggered_at) * 1000, 0)::bigint
                      from moved""")
            .update();

    private final JdbcClient jdbc;
    private final Lifecycle<RunStatus, RunMove> lifecycle;

    RunLifecycle(JdbcClient jdbc, StateChanges changes) {
        this.jdbc = jdbc;
        this.lifecycle = new Lifecycle<>(EntityKind.RUN, this::move, changes);
    }

    private static StatusTable.Builder<RunMove> table(String name) {
        return StatusTable.<RunMove>of(name)
                .column("new_cause", moves -> SqlArrays.texts(moves, RunMove::cause))
                .column("new_trigger_code", moves -> SqlArrays.integers(moves, RunMove::triggerCode))
                .column("new_handle_code", moves -> SqlArrays.integers(moves, RunMove::handleCode))
                .column("message", moves -> SqlArrays.texts(moves, RunMove::message))
                .column("is_result", moves -> SqlArrays.booleans(moves, RunMove::isResult))
                .column("if_cause", moves -> SqlArrays.texts(moves, RunLifecycle::ifCause))
                .onlyIf("w.if_cause is null or t.cause = w.if_cause")
                .fenced("t.executor_id", "t.dispatch")
                .facts("t.job_id", "t.executor_id", "t.trace_id");
    }

    private static String ifCause(RunMove move) {
        return move.ifCause() == null ? null : move.ifCause().name();
    }

    private List<MovedRow> move(List<RunMove> moves) {
        List<MovedRow> moved = new ArrayList<>(moves.size());
        moved.addAll(GO_ON.move(jdbc, only(moves, move -> !move.to().isTerminal())));
        moved.addAll(END.move(
                jdbc, only(moves, move -> move.to().isTerminal() && !move.from().isTerminal())));
        moved.addAll(CORRECT.move(jdbc, only(moves, move -> move.from().isTerminal())));
        return moved;
    }

    private static List<RunMove> only(List<RunMove> moves, Predicate<RunMove> which) {
        return moves.stream().filter(which).toList();
    }

    private <T> Set<Long> moveAll(Collection<T> wanted, Function<T, RunMove> move) {
        return lifecycle.moveAll(wanted.stream().map(move).toList());
    }

    void created(List<Run> runs) {
        lifecycle.created(RunRepository.created(runs), RunStatus.INIT, RunCause.CREATED.name());
    }

    Set<Long> accept(Collection<Acceptance> acceptances, RunCause cause) {
        return moveAll(acceptances, acceptance -> RunMove.accepted(acceptance, cause));
    }

    Set<Long> refuse(Collection<Refusal> refusals, RunCause cause) {
        return moveAll(refusals, refusal -> RunMove.refused(refusal, cause));
    }

    Set<Long> skip(Collection<Refusal> refusals) {
        return moveAll(refusals, RunMove::skipped);
    }

    Set<Long> lose(Collection<Acceptance> accepted, String message) {
        return moveAll(accepted, each -> RunMove.lost(each.runId(), message, each.fence()));
    }

    /** Ends runs with a kill request that no executor has. */
    Set<Long> kill(Collection<Run> runs, String why) {
        return moveAll(runs, run -> RunMove.killed(run, why));
    }

    /**
     * Fails awaited runs that the executor of their claim will not report: as killed if a kill was requested, with {@code why} in the
     * message, otherwise as lost.
     */
    Set<Long> fail(Collection<Gone> gone, String lost, String why) {
        return moveAll(
                gone,
                run -> run.kill() == null
                        ? RunMove.lost(run.id(), lost, run.fence())
                        : RunMove.killed(run.id(), run.kill(), why, run.fence()));
    }

    /**
     * Records results. In the same transaction, once the transitions are journaled, the listeners of runs are called in this order: jobs
     * with a fixed delay become due, failed runs are retried or become dead letters, children of successful runs are fired, skipped fires
     * are listed, the next runs of jobs that take turns are released ({@link TurnSignal}), and alarms evaluate the failed runs
     * ({@link io.orth.admin.kernel.StateChanges#listeners}).
     */
    Set<Long> finish(Collection<Report> reports) {
        accept(
                reports.stream()
                        .filter(report -> !report.accepted())
                        .map(report -> new Acceptance(report.runId(), report.fence(), null))
                        .toList(),
                RunCause.ACCEPTED);
        return moveAll(reports, RunMove::finished);
    }

    /** Corrects runs that were declared lost with their own late result. */
    Set<Long> correctLost(List<RunMove> corrections) {
        return lifecycle.correctAll(corrections);
    }

    /** Cancels undispatched retries of runs that have succeeded after all. */
    Set<Long> callOff(Collection<Run> retries) {
        return moveAll(retries, RunMove::calledOff);
    }
}
