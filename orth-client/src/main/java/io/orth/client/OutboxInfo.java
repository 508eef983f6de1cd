package io.orth.client;

import io.orth.protocol.JsonObject;
import java.time.Instant;

/**
 * A parked outbox entry: a task that could not be sent.
 *
 * @param kind {@code QUEUE} or {@code WEBHOOK}
 * @param destination the queue, or the webhook's name
 * @param jobId the task
 * @param attempt the attempt of the task
 * @param attempts the number of delivery attempts
 * @param lastError error of the last delivery attempt
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
