package io.orth.admin.pipeline;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.time.Instant;

/**
 * A pending delivery of one attempt at a task.
 *
 * @param kind {@code QUEUE} or {@code WEBHOOK}
 * @param attempt the attempt at the task
 * @param attempts the number of delivery attempts so far
 * @param parkedAt when delivery was abandoned and the task failed; null if not parked
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

    /** Returns the W3C trace context of the delivery: the run's trace id, with the entry's id as the parent span. */
    String traceparent() {
        return "00-%s-%016x-01".formatted(traceId, id);
    }
}
