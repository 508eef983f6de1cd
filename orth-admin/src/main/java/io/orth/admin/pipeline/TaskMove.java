package io.orth.admin.pipeline;

import io.orth.admin.kernel.Fence;
import io.orth.admin.kernel.Move;

/**
 * A requested status transition of one task.
 *
 * @param attempt the attempt that starts, or the attempt that the task must be at if no claim is given
 * @param claim the new claim, or the claim that the task must be under; null for no check
 * @param text its result or its error, as JSON; null if there is none
 * @param more attempts granted beyond those used; -1 if the attempt does not count
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

    /** Returns a transition of the task in its current status, under its claim. */
    static TaskMove of(PipelineTask task, PipelineTaskStatus to, PipelineTaskCause reason, String text) {
        return new TaskMove(task.id(), task.status(), to, reason, task.attempts(), task.claim(), text, 0);
    }

    TaskMove granting(int attempts) {
        return new TaskMove(id, from, to, reason, attempt, claim, text, attempts);
    }

    @Override
    public Fence fence() {
        return to == PipelineTaskStatus.CLAIMED ? null : claim;
    }

    /** Returns null if no claim is given. */
    Long executorId() {
        return claim == null ? null : claim.executorId();
    }

    /** Returns null if no claim is given. */
    Long logId() {
        return claim == null ? null : Long.valueOf(claim.claimId());
    }
}
