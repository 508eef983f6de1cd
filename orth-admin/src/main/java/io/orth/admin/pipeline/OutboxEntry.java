package io.orth.admin.pipeline;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.time.Instant;

/**
 * A promise to tell somebody of one attempt at a task.
 *
 * @param kind {@code QUEUE} or {@code WEBHOOK}
 * @param attempt of the task
 * @param attempts how often it was tried to keep the promise
 * @param parkedAt when it was given up and its task failed; null where it was not
 */
public record OutboxEntry(
        long id,
        String kind,
        @JsonIgnore long rootId,
        @JsonIgnore long taskId,
        int attempt,
        String destination,
        @JsonIgnore String payload,
        @JsonIgnore String traceId,
        Instant createdAt,
        Instant nextAttemptAt,
        int attempts,
        String lastError,
        Instant parkedAt) {

    /** The W3C trace context under which the task is sent: the run's trace, and the attempt as the span that led to it. */
    String traceparent() {
        return "00-%s-%016x-01".formatted(traceId, id);
    }
}
