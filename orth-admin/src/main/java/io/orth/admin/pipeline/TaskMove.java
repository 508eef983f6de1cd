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

    /** Of a task as it is, under its claim. */
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

    /** Null where no claim is given. */
    Long executorId() {
        return claim == null ? null : claim.executorId();
    }

    /** Null where no claim is given. */
    Long logId() {
        return claim == null ? null : Long.valueOf(claim.claimId());
    }
}
