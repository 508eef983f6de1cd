package io.orth.client;

import io.orth.protocol.JsonObject;
import java.time.Instant;
import java.util.Map;

/**
 * A task of a pipeline's run.
 *
 * @param parentJobId the task that proposed it; null in the first stage
 * @param queue where it goes; null where a webhook is told of it
 * @param status {@code PENDING}, {@code CLAIMED}, {@code RUNNING}, {@code COMPLETED}, {@code FAILED} or {@code CANCELLED}
 * @param lockedAt since when an executor has it; null where none does
 * @param executorId the number of that executor; null where none has it
 * @param logId of the last attempt's log; null where there is none
 * @param params and {@code result}: as JSON; null where there is none
 * @param error why the last attempt that failed did; null where none did
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

    /** Why an attempt failed: a code such as {@code HANDLER_FAILED}, and in words. */
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
