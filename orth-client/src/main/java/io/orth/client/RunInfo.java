package io.orth.client;

import io.orth.protocol.JsonObject;
import java.time.Instant;
import java.util.Set;

/**
 * One run of a job.
 *
 * @param status {@code INIT}, {@code PENDING}, {@code SUCCESS}, {@code FAILED}, {@code TIMEOUT}, {@code TRIGGER_FAILED} or {@code SKIPPED}
 * @param triggerMsg the executors that were called
 * @param handleMsg the message of the handler
 */
public record RunInfo(
        long id,
        int jobId,
        String jobName,
        String handler,
        String param,
        String status,
        int triggerCode,
        int handleCode,
        String triggerMsg,
        String handleMsg,
        String cause,
        Instant createdAt,
        Instant triggeredAt,
        Instant finishedAt,
        String executorAddress,
        String traceId,
        int attempt) {

    private static final Set<String> OPEN = Set.of("INIT", "PENDING");

    public boolean isOver() {
        return !OPEN.contains(status);
    }

    static RunInfo of(JsonObject json) {
        return new RunInfo(
                json.requiredNumber("id"),
                json.requiredInteger("jobId"),
                json.text("jobName"),
                json.text("handler"),
                json.text("param"),
                json.requiredText("status"),
                json.integer("triggerCode", 0),
                json.integer("handleCode", 0),
                json.text("triggerMsg"),
                json.text("handleMsg"),
                json.text("cause"),
                Answers.instant(json, "createdAt"),
                Answers.instant(json, "triggeredAt"),
                Answers.instant(json, "finishedAt"),
                json.text("executorAddress"),
                json.text("traceId"),
                json.integer("attempt", 1));
    }
}
