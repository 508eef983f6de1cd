package io.orth.admin.pipeline;

import io.orth.admin.kernel.Fence;
import io.orth.admin.kernel.Move;

/**
 * A status change wanted for one task.
 *
 * @param attempt the one that begins, or the one it must be at where no claim says so
 * @param claim by which it is claimed, or under which it must be; null where that does not matter
 * @param text its result or its error, as JSON; null if there is none
 * @param more attempts that it is granted beside those it has had; -1 where the attempt does not count
 */
record TaskMove(
        long id,
        PipelineTaskStatus from,
        PipelineTaskStatus to,
        PipelineTaskCause reason,
        int attempt,
        Fence claim,
        String text,
        int more)
        implements Move<PipelineTaskStatus> {

    /** @param attempt the one that begins */
    static TaskMove claimed(long id, int attempt, Fence claim) {
        return of(id, PipelineTaskStatus.PENDING, PipelineTaskStatus.CLAIMED, PipelineTaskCause.CLAIMED, attempt)
                .by(claim, null);
    }

    static TaskMove begun(long id, int attempt, Fence claim) {
        return of(id, PipelineTaskStatus.CLAIMED, PipelineTaskStatus.RUNNING, PipelineTaskCause.BEGUN, attempt)
                .by(claim, null);
    }

    static TaskMove completed(long id, int attempt, Fence claim, String result) {
        return of(id, PipelineTaskStatus.RUNNING, PipelineTaskStatus.COMPLETED, PipelineTaskCause.COMPLETED, attempt)
                .by(claim, result);
    }

    static TaskMove failed(long id, int attempt, Fence claim, PipelineTaskCause why, String error) {
        return of(id, PipelineTaskStatus.RUNNING, PipelineTaskStatus.FAILED, why, attempt)
                .by(claim, error);
    }

    /** Another attempt will follow, for which there is an entry in the outbox. */
    static TaskMove again(
            long id, PipelineTaskStatus from, int attempt, Fence claim, PipelineTaskCause why, String error) {
        return of(id, from, PipelineTaskStatus.PENDING, why, attempt).by(claim, error);
    }

    /** The attempt does not count. */
    static TaskMove returned(long id, PipelineTaskStatus from, int attempt, Fence claim) {
        return new TaskMove(id, from, PipelineTaskStatus.PENDING, PipelineTaskCause.RETURNED, attempt, claim, null, -1);
    }

    static TaskMove cancelled(long id, PipelineTaskStatus from, int attempt) {
        return of(id, from, PipelineTaskStatus.CANCELLED, PipelineTaskCause.CANCELLED, attempt);
    }

    static TaskMove retried(long id, int attempt, int more) {
        return new TaskMove(
                id,
                PipelineTaskStatus.FAILED,
                PipelineTaskStatus.PENDING,
                PipelineTaskCause.RETRIED,
                attempt,
                null,
                null,
                more);
    }

    private static TaskMove of(
            long id, PipelineTaskStatus from, PipelineTaskStatus to, PipelineTaskCause why, int attempt) {
        return new TaskMove(id, from, to, why, attempt, null, null, 0);
    }

    private TaskMove by(Fence theClaim, String said) {
        return new TaskMove(id, from, to, reason, attempt, theClaim, said, 0);
    }

    @Override
    public Fence fence() {
        return isClaim() ? null : claim;
    }

    /** The executor that it goes to; null unless it is claimed. */
    Long claimant() {
        return isClaim() ? claim.executorId() : null;
    }

    /** The log id that its claim gives it; null unless it is claimed. */
    Long logId() {
        return isClaim() ? Long.valueOf(claim.claimId()) : null;
    }

    private boolean isClaim() {
        return to == PipelineTaskStatus.CLAIMED;
    }
}
