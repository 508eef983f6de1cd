package io.orth.admin.run;

import io.orth.admin.kernel.EntityKind;
import io.orth.admin.kernel.Fence;
import io.orth.admin.kernel.Lifecycle;
import io.orth.admin.kernel.StateChanges;
import io.orth.admin.run.RunRepository.Gone;
import io.orth.protocol.CallbackItem;
import io.orth.protocol.Codes;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The only writer of a run's status. Callers own the transaction. */
final class RunLifecycle {

    private final Lifecycle<RunStatus, RunMove> lifecycle;

    RunLifecycle(MoveRepository moves, StateChanges changes) {
        this.lifecycle = new Lifecycle<>(EntityKind.RUN, moves::move, changes);
    }

    void created(List<Run> runs) {
        lifecycle.created(RunRepository.created(runs), RunStatus.INIT, RunCause.CREATED.name());
    }

    Set<Long> accept(Collection<Acceptance> acceptances, RunCause cause) {
        return lifecycle.moveAll(acceptances.stream()
                .map(acceptance -> RunMove.accepted(acceptance, cause))
                .toList());
    }

    Set<Long> refuse(Collection<Refusal> refusals, RunCause cause) {
        return lifecycle.moveAll(refusals.stream()
                .map(refusal -> RunMove.refused(refusal, cause))
                .toList());
    }

    Set<Long> skip(Collection<Refusal> refusals) {
        return lifecycle.moveAll(refusals.stream().map(RunMove::skipped).toList());
    }

    Set<Long> lose(Collection<Acceptance> accepted, String message) {
        return lifecycle.moveAll(accepted.stream()
                .map(each -> RunMove.lost(each.runId(), message, each.fence()))
                .toList());
    }

    /** Ends runs that somebody wants ended and that no executor has. */
    Set<Long> kill(Collection<Run> runs, String why) {
        return lifecycle.moveAll(runs.stream()
                .map(run -> RunMove.killed(run, run.kill().words() + "; " + why))
                .toList());
    }

    /** Fails awaited runs whose executor is gone: as killed where somebody wanted that, else as lost. */
    Set<Long> ofGoneExecutors(Collection<Gone> gone, String lost) {
        return fail(gone, lost, "its executor is gone");
    }

    /** Fails awaited runs that the executor of their claim will not report: as killed if a kill was requested, {@code why} in words, else as lost. */
    Set<Long> fail(Collection<Gone> gone, String lost, String why) {
        return lifecycle.moveAll(gone.stream()
                .map(run -> run.kill() == null
                        ? RunMove.lost(run.id(), lost, run.fence())
                        : RunMove.finished(
                                        run.id(),
                                        RunCause.KILLED,
                                        Codes.FAIL,
                                        run.kill().words() + "; " + why)
                                .by(run.fence()))
                .toList());
    }

    /**
     * Records results. In the same transaction, once the transitions are journalled, the listeners of runs follow in this order: jobs with
     * a fixed delay become due, failed runs are retried or become dead letters, children of successful ones are fired, skipped fires are
     * listed, the next runs of jobs that take turns are let go ({@link TurnSignal}), and alarms look at the failed ones ({@link io.orth.admin.kernel.StateChanges#listeners}).
     *
     * <p>{@code kills} has those runs that somebody wants ended, whose failure is then the kill's doing, and whose
     * success is one only if their executor had not been sent the kill. A result that has {@code overtaken} the recording of its
     * own trigger implies that the trigger was accepted. {@code fences} has the claim that each run was under when it was found to be
     * the executor's that reports it.
     */
    Set<Long> finish(
            List<CallbackItem> results,
            Collection<Long> overtaken,
            Map<Long, KillOrder> kills,
            Map<Long, Fence> fences) {
        Map<Long, CallbackItem> byId = results.stream()
                .collect(Collectors.toMap(CallbackItem::logId, Function.identity(), (first, second) -> first));
        accept(
                overtaken.stream()
                        .map(id -> new Acceptance(id, fences.get(id), null))
                        .toList(),
                RunCause.ACCEPTED);
        return lifecycle.moveAll(byId.values().stream()
                .map(result -> finished(result, kills.get(result.logId())).by(fences.get(result.logId())))
                .toList());
    }

    private static RunMove finished(CallbackItem result, KillOrder order) {
        RunStatus reported = RunStatus.ofResult(result.handleCode());
        if (order != null && reported == RunStatus.FAILED) {
            return RunMove.finished(
                    result.logId(),
                    RunCause.KILLED,
                    result.handleCode(),
                    order.kill().tell(result.handleMsg()));
        }
        if (order != null && order.sent() && reported == RunStatus.SUCCESS) {
            return RunMove.finished(
                    result.logId(), RunCause.KILLED, Codes.FAIL, order.kill().tellOfSuccess(result.handleMsg()));
        }
        return RunMove.finished(result.logId(), RunCause.CALLBACK, result.handleCode(), result.handleMsg());
    }

    /** What was judged lost is corrected by its own result. */
    Set<Long> correctLost(List<RunMove> corrections) {
        return lifecycle.correctAll(corrections);
    }

    /** Ends unsent retries of runs that have succeeded after all. */
    Set<Long> callOff(Collection<Run> retries) {
        return lifecycle.moveAll(retries.stream().map(RunMove::calledOff).toList());
    }
}
