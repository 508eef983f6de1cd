package io.orth.admin.run;

import io.orth.admin.kernel.Fence;
import io.orth.admin.kernel.Move;
import io.orth.protocol.CallbackItem;
import io.orth.protocol.Codes;
import io.orth.protocol.TextLimit;

/**
 * A status change wanted for one run, with the code and message that go with it.
 *
 * @param ifCause only a run whose last change had this cause moves; null for any
 * @param fence only a run that is with this executor by this dispatch moves, or with none after that many; null for any
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

    /** {@code reason} is REFUSED, or NO_EXECUTOR where none was there to refuse it. */
    static RunMove refused(Refusal refusal, RunCause reason) {
        return unsent(refusal.runId(), RunStatus.TRIGGER_FAILED, reason, Codes.FAIL, refusal.reason(), refusal.fence());
    }

    /** Ends a run whose job was busy and skips runs then. */
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

    /** Ends a run that no executor has; a sent one has failed, an unsent one could not be triggered. */
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

    /** Ends a run that was sent and will not be reported. */
    static RunMove killed(long id, Run.Kill kill, String why, Fence claim) {
        return result(id, RunCause.KILLED, Codes.FAIL, kill.words(why), claim);
    }

    /** Ends an unsent retry whose work is done. */
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

    /** PostgreSQL's text knows no U+0000. */
    static String storable(String message) {
        return message == null ? null : TextLimit.STORED.cut(message.replace('\0', '\uFFFD'));
    }
}
