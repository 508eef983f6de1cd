package io.orth.admin.run;

import io.orth.admin.kernel.Fence;
import io.orth.admin.kernel.Move;
import io.orth.protocol.CallbackItem;
import io.orth.protocol.Codes;
import io.orth.protocol.TextLimit;

/**
 * A status change requested for one run, with its code and message.
 *
 * @param ifCause only a run whose last change had this cause is changed; null for any
 * @param fence only a run under this executor and dispatch is changed, or with no executor after that many dispatches; null for any
 */
record RunMove(
        long id,
        RunStatus from,
        RunStatus to,
        RunCause reason,
        int triggerCode,
        int handleCode,
        String message,
        RunCause ifCause,
        Fence fence)
        implements Move<RunStatus> {

    static RunMove accepted(Acceptance acceptance, RunCause reason) {
        return unsent(
                acceptance.runId(), RunStatus.PENDING, reason, Codes.SUCCESS, acceptance.message(), acceptance.fence());
    }

    /** @param reason REFUSED, or NO_EXECUTOR if there was no executor */
    static RunMove refused(Refusal refusal, RunCause reason) {
        return unsent(refusal.runId(), RunStatus.TRIGGER_FAILED, reason, Codes.FAIL, refusal.reason(), refusal.fence());
    }

    /** Ends a run whose job was busy and whose block strategy skips runs in that case. */
    static RunMove skipped(Refusal refusal) {
        return unsent(
                refusal.runId(), RunStatus.SKIPPED, RunCause.DISCARDED, Codes.BUSY, refusal.reason(), refusal.fence());
    }

    static RunMove finished(Report report) {
        CallbackItem result = report.result();
        Run.Kill kill = report.kill();
        RunStatus reported = RunStatus.ofResult(result.handleCode());
        if (kill != null && reported == RunStatus.FAILED) {
            return finished(report, RunCause.KILLED, result.handleCode(), kill.tell(result.handleMsg()));
        }
        if (kill != null && report.killSent() && reported == RunStatus.SUCCESS) {
            return finished(report, RunCause.KILLED, Codes.FAIL, kill.tellOfSuccess(result.handleMsg()));
        }
        return finished(report, RunCause.CALLBACK, result.handleCode(), result.handleMsg());
    }

    private static RunMove finished(Report report, RunCause reason, int handleCode, String message) {
        return result(report.runId(), reason, handleCode, message, report.fence());
    }

    /** Ends a run that no executor has; a dispatched run has failed, an undispatched one could not be triggered. */
    static RunMove killed(Run run, String why) {
        return run.status() == RunStatus.PENDING
                ? killed(run.id(), run.kill(), why, run.fence())
                : unsent(
                        run.id(),
                        RunStatus.TRIGGER_FAILED,
                        RunCause.KILLED,
                        Codes.FAIL,
                        run.kill().words(why),
                        run.fence());
    }

    /** Ends a dispatched run that will not be reported. */
    static RunMove killed(long id, Run.Kill kill, String why, Fence claim) {
        return result(id, RunCause.KILLED, Codes.FAIL, kill.words(why), claim);
    }

    /** Ends an undispatched retry whose work is done. */
    static RunMove calledOff(Run retry) {
        String message = "not needed: run %d has succeeded after all"
                .formatted(retry.lineage().retryOf());
        return unsent(retry.id(), RunStatus.TRIGGER_FAILED, RunCause.CALLED_OFF, Codes.FAIL, message, retry.fence());
    }

    static RunMove lost(long id, String message, Fence claim) {
        return result(id, RunCause.LOST, Codes.FAIL, message, claim);
    }

    static RunMove corrected(CallbackItem result) {
        return new RunMove(
                result.logId(),
                RunStatus.FAILED,
                RunStatus.ofResult(result.handleCode()),
                RunCause.LATE_RESULT,
                Codes.SUCCESS,
                result.handleCode(),
                storable(result.handleMsg()),
                RunCause.LOST,
                null);
    }

    private static RunMove unsent(
            long id, RunStatus to, RunCause reason, int triggerCode, String message, Fence fence) {
        return new RunMove(id, RunStatus.INIT, to, reason, triggerCode, Codes.NONE, storable(message), null, fence);
    }

    private static RunMove result(long id, RunCause reason, int handleCode, String message, Fence claim) {
        RunStatus to = RunStatus.ofResult(handleCode);
        return new RunMove(
                id, RunStatus.PENDING, to, reason, Codes.SUCCESS, handleCode, storable(message), null, claim);
    }

    boolean isResult() {
        return handleCode != Codes.NONE;
    }

    /** Replaces U+0000, which PostgreSQL cannot store. */
    static String storable(String message) {
        return message == null ? null : TextLimit.STORED.cut(message.replace('\0', '\uFFFD'));
    }
}
