package io.orth.admin.api;

import com.fasterxml.jackson.annotation.JsonRawValue;
import io.orth.admin.queue.Message;
import java.time.Instant;
import java.util.Map;

/**
 * A message of a queue.
 *
 * @param blocked whether another message of its group comes first
 * @param claimedAt when its present or last attempt began
 * @param logId of its present or last attempt
 * @param failures earlier attempts, the oldest first: each with attempt, logId, executorId, startedAt, endedAt, code and error
 * @param no counts those that were given up; null for others
 * @param error why it was given up
 * @param fingerprint the same for failures of one kind
 * @param result what the handler said at the end
 */
record MessageView(
        String id,
        String queue,
        String status,
        String lane,
        boolean blocked,
        int attempt,
        int maxAttempts,
        Instant pushedAt,
        Instant dueAt,
        Instant statusAt,
        Instant claimedAt,
        String executorId,
        String logId,
        String uniqueKey,
        String groupKey,
        String traceId,
        Map<String, String> metadata,
        @JsonRawValue String failures,
        String no,
        String cause,
        String error,
        String stack,
        String fingerprint,
        String result,
        String payload) {

    static MessageView of(Message message, String queue) {
        Message.Death death = message.death();
        return new MessageView(
                Long.toString(message.id()),
                queue,
                message.status().name(),
                message.lane().name(),
                message.blocked(),
                message.attempt(),
                message.maxAttempts(),
                message.times().pushedAt(),
                message.times().dueAt(),
                message.times().statusAt(),
                message.times().claimedAt(),
                text(message.executorId()),
                text(message.logId()),
                message.uniqueKey(),
                message.groupKey(),
                message.traceId(),
                message.metadata(),
                message.failures() == null ? "[]" : message.failures(),
                death == null ? null : Long.toString(death.no()),
                death == null ? null : death.cause(),
                death == null ? null : death.error(),
                death == null ? null : death.stack(),
                death == null ? null : death.fingerprint(),
                message.result(),
                message.payload());
    }

    private static String text(Long number) {
        return number == null ? null : Long.toString(number);
    }
}
