package io.orth.admin.run;

import io.orth.admin.kernel.Fence;
import io.orth.admin.kernel.Move;
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

    static RunMove finished(long id, RunCause reason, int handleCode, String message) {
        return result(id, RunStatus.PENDING, reason, handleCode, message, null);
    }

    /** Ends a run that no executor has; a sent one has failed, an unsent one could not be triggered. */
    static RunMove killed(Run run, String message) {
        if (run.status() == RunStatus.PENDING) {
            return result(run.id(), RunStatus.PENDING, RunCause.KILLED, Codes.FAIL, message, null)
                    .by(run.fence());
        }
        return unsent(run.id(), RunStatus.TRIGGER_FAILED, RunCause.KILLED, Codes.FAIL, message, run.fence());
    }

    /** Ends an unsent retry whose work is done. */
    static RunMove calledOff(Run retry) {
        String message = "not needed: run %d has succeeded after all"
                .formatted(retry.lineage().retryOf());
        return unsent(retry.id(), RunStatus.TRIGGER_FAILED, RunCause.CALLED_OFF, Codes.FAIL, message, retry.fence());
    }

    static RunMove lost(long id, String message, Fence claim) {
        return result(id, RunStatus.PENDING, RunCause.LOST, Codes.FAIL, message, null)
                .by(claim);
    }

    static RunMove corrected(long id, int handleCode, String message) {
        return result(id, RunStatus.FAILED, RunCause.LATE_RESULT, handleCode, message, RunCause.LOST);
    }

    private static RunMove unsent(
            long id, RunStatus to, RunCause reason, int triggerCode, String message, Fence fence) {
        return new RunMove(id, RunStatus.INIT, to, reason, triggerCode, Codes.NONE, storable(message), null, fence);
    }

    private static RunMove result(
            long id, RunStatus from, RunCause reason, int handleCode, String message, RunCause ifCause) {
        return new RunMove(
                id,
                from,
                RunStatus.ofResult(handleCode),
                reason,
                Codes.SUCCESS,
                handleCode,
                storable(message),
                ifCause,
                null);
    }

    /** Only if the run is still with that executor. */
    RunMove by(Fence claim) {
        return new RunMove(id, from, to, reason, triggerCode, handleCode, message, ifCause, claim);
    }

    boolean isResult() {
        return handleCode != Codes.NONE;
    }

    /** PostgreSQL's text knows no U+0000. */
    static String storable(String message) {
        return message == null ? null : TextLimit.STORED.cut(message.replace('\0', '\uFFFD'));
    }
}
