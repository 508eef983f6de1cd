package io.orth.client;

import io.orth.protocol.JsonObject;
import java.time.Instant;

/**
 * A promise to send a task, which was given up until somebody decides.
 *
 * @param kind {@code QUEUE} or {@code WEBHOOK}
 * @param destination the queue, or the webhook's name
 * @param jobId the task
 * @param attempt which attempt of the task it is for
 * @param attempts how often it was tried to send it
 * @param lastError why that failed
 */
public record OutboxInfo(
        long id,
        String kind,
        String destination,
        long jobId,
        long rootJobId,
        int attempt,
        int attempts,
        String lastError,
        Instant createdAt,
        Instant parkedAt) {

    static OutboxInfo of(JsonObject json) {
        return new OutboxInfo(
                json.requiredNumber("id"),
                json.text("kind"),
                json.text("destination"),
                json.requiredNumber("jobId"),
                json.requiredNumber("rootJobId"),
                json.integer("attempt", 0),
                json.integer("attempts", 0),
                json.text("lastError"),
                Answers.instant(json, "createdAt"),
                Answers.instant(json, "parkedAt"));
    }
}
