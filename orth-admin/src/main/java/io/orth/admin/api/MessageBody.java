package io.orth.admin.api;

import io.orth.admin.kernel.Backoff;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.queue.Lane;
import io.orth.admin.queue.MessageSpec;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * Message to push.
 *
 * @param payload text, or any JSON value, which the handler gets as JSON text
 * @param lane priority: CRITICAL, HIGH, DEFAULT or LOW
 * @param dueAt earliest start
 * @param delay earliest start as an ISO 8601 duration from now
 * @param uniqueKey while another message of the queue holds this key, this message is not added
 * @param uniqueFor how long the key is held, as an ISO 8601 duration; until the message has finished if missing
 * @param groupKey ordering key: messages with the same key run one at a time, in the order of their pushes
 */
record MessageBody(
        JsonNode payload,
        String lane,
        String dueAt,
        String delay,
        String uniqueKey,
        String uniqueFor,
        String groupKey,
        Integer maxAttempts,
        BackoffBody backoff,
        Map<String, String> metadata,
        String traceId) {

    MessageSpec toSpec(String defaultTraceId) {
        if (payload == null || payload.isNull()) {
            throw OrthException.invalid("payload", "is missing");
        }
        return new MessageSpec(
                payload.isString() ? payload.stringValue() : payload.toString(),
                lane == null ? Lane.DEFAULT : Lane.named("lane", lane),
                Instants.parseOptional("dueAt", dueAt),
                BackoffBody.parse("delay", delay),
                uniqueKey,
                BackoffBody.parse("uniqueFor", uniqueFor),
                groupKey,
                maxAttempts,
                backoff == null ? null : BackoffBody.toBackoff(backoff, Backoff.DEFAULT),
                metadata == null ? Map.of() : checked(metadata),
                traceId == null ? defaultTraceId : traceId,
                null);
    }

    private static Map<String, String> checked(Map<String, String> metadata) {
        metadata.forEach((name, value) -> {
            if (value == null) {
                throw OrthException.invalid("metadata." + name, "must not be null");
            }
        });
        return metadata;
    }
}
