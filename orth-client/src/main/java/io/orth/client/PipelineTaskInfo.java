package io.orth.client;

import io.orth.protocol.JsonObject;
import java.time.Instant;
import java.util.Map;

/**
 * A task of a pipeline run.
 *
 * @param parentJobId the task that proposed it; null in the first stage
 * @param queue its queue; null if it is sent to a webhook
 * @param status {@code PENDING}, {@code CLAIMED}, {@code RUNNING}, {@code COMPLETED}, {@code FAILED} or {@code CANCELLED}
 * @param lockedAt when an executor claimed it; null if it is not claimed
 * @param executorId the id of that executor; null if it is not claimed
 * @param logId the log id of the last attempt; null if there is none
 * @param params and {@code result}: as JSON; null if there is none
 * @param error the error of the last failed attempt; null if none failed
 */
public record PipelineTaskInfo(
        long id,
        long rootJobId,
        Long parentJobId,
        String pipeline,
        String stage,
        String queue,
        String targetType,
        String targetId,
        String status,
        int attempts,
        int maxAttempts,
        Instant lockedAt,
        Long executorId,
        Long logId,
        Map<String, String> meta,
        String params,
        String result,
        Problem error,
        Instant createdAt,
        Instant startedAt,
        Instant finishedAt,
        Instant updatedAt) {

    /** The error of an attempt: a code such as {@code HANDLER_FAILED} and a message. */
    public record Problem(String code, String message) {

        private static Problem of(JsonObject json) {
            return new Problem(json.text("code"), json.text("message"));
        }
    }

    public PipelineTaskInfo {
        meta = Map.copyOf(meta);
    }

    static PipelineTaskInfo of(JsonObject json) {
        return new PipelineTaskInfo(
                json.requiredNumber("id"),
                json.requiredNumber("rootJobId"),
                json.optionalNumber("parentJobId").orElse(null),
                json.text("pipeline"),
                json.text("stage"),
                json.text("queue"),
                json.text("targetType"),
                json.text("targetId"),
                json.requiredText("status"),
                json.integer("attempts", 0),
                json.integer("maxAttempts", 0),
                Answers.instant(json, "lockedAt"),
                json.optionalNumber("executorId").orElse(null),
                json.optionalNumber("logId").orElse(null),
                json.texts("meta"),
                json.json("params"),
                json.json("result"),
                json.object("error").map(Problem::of).orElse(null),
                Answers.instant(json, "createdAt"),
                Answers.instant(json, "startedAt"),
                Answers.instant(json, "finishedAt"),
                Answers.instant(json, "updatedAt"));
    }
}
