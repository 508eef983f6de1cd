package io.orth.admin.pipeline;

import io.orth.admin.kernel.Move;

/**
 * A status change wanted for one task.
 *
 * @param attempt the one it must be at
 * @param executorId with whom it must be, or to whom it goes; null where that does not matter
 * @param logId of the attempt that is claimed
 * @param text its result or its error, as JSON; null if there is none
 * @param more attempts that it is granted beside those it has had; -1 where the attempt does not count
 */
record TaskMove(
        long id,
        PipelineTaskStatus from,
        PipelineTaskStatus to,
        PipelineTaskCause reason,
        int attempt,
        Long executorId,
        Long logId,
        String text,
        int more)
        implements Move<PipelineTaskStatus> {

    /** @param attempt the one that begins */
    static TaskMove claimed(long id, int attempt, long executor, long log) {
        return new TaskMove(
                id,
                PipelineTaskStatus.PENDING,
                PipelineTaskStatus.CLAIMED,
                PipelineTaskCause.CLAIMED,
                attempt,
                executor,
                log,
                null,
                0);
    }

    static TaskMove begun(long id, int attempt, long executor) {
        return of(id, PipelineTaskStatus.CLAIMED, PipelineTaskStatus.RUNNING, PipelineTaskCause.BEGUN, attempt)
                .by(executor, null);
    }

    static TaskMove completed(long id, int attempt, long executor, String result) {
        return of(id, PipelineTaskStatus.RUNNING, PipelineTaskStatus.COMPLETED, PipelineTaskCause.COMPLETED, attempt)
                .by(executor, result);
    }

    static TaskMove failed(long id, int attempt, long executor, PipelineTaskCause why, String error) {
        return of(id, PipelineTaskStatus.RUNNING, PipelineTaskStatus.FAILED, why, attempt)
                .by(executor, error);
    }

    /** Another attempt will follow, for which there is an entry in the outbox. */
    static TaskMove again(
            long id, PipelineTaskStatus from, int attempt, long executor, PipelineTaskCause why, String error) {
        return of(id, from, PipelineTaskStatus.PENDING, why, attempt).by(executor, error);
    }

    /** The attempt does not count. */
    static TaskMove returned(long id, PipelineTaskStatus from, int attempt, long executor) {
        return new TaskMove(
                id, from, PipelineTaskStatus.PENDING, PipelineTaskCause.RETURNED, attempt, executor, null, null, -1);
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
                null,
                more);
    }

    private static TaskMove of(
            long id, PipelineTaskStatus from, PipelineTaskStatus to, PipelineTaskCause why, int attempt) {
        return new TaskMove(id, from, to, why, attempt, null, null, null, 0);
    }

    private TaskMove by(long executor, String said) {
        return new TaskMove(id, from, to, reason, attempt, executor, null, said, 0);
    }
}
