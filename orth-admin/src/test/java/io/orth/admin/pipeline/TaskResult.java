package io.orth.admin.pipeline;

import io.orth.protocol.Codes;
import io.orth.protocol.MessageResult;
import io.orth.protocol.TaskChild;
import io.orth.protocol.TaskOutcome;
import java.util.List;

/** The report of a test's executor about an attempt at a task. */
public record TaskResult(
        long taskId,
        int attempt,
        Outcome outcome,
        String result,
        List<TaskChild> children,
        TaskOutcome.Problem error,
        Long retryAfterMillis,
        long runMillis) {

    /** Outcome of the attempt. */
    public enum Outcome {
        OK,
        FAILED,
        PERMANENT
    }

    public static TaskResult ok(long taskId, int attempt, String result, List<TaskChild> children, long runMillis) {
        return new TaskResult(taskId, attempt, Outcome.OK, result, children, null, null, runMillis);
    }

    /** The result of the message that carries the task. */
    public MessageResult of(long messageId, long logId) {
        return new MessageResult(
                messageId,
                logId,
                outcome == Outcome.OK ? Codes.SUCCESS : Codes.FAIL,
                error == null ? null : error.message(),
                outcome == Outcome.PERMANENT,
                retryAfterMillis,
                runMillis,
                new TaskOutcome(result, children, error));
    }
}
