package io.orth.admin.api;

import io.orth.admin.kernel.OrthException;
import io.orth.admin.queue.Lane;
import io.orth.admin.queue.MessageSpec;
import io.orth.admin.queue.RetryPolicy;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * A message to be put into a queue.
 *
 * @param payload text, or any JSON value, which its handler gets as JSON text
 * @param lane CRITICAL, HIGH, DEFAULT or LOW
 * @param dueAt an instant before which it is not begun
 * @param delay the same, as an ISO 8601 duration counted from now
 * @param uniqueKey while another message of the queue holds this key, this one is not added
 * @param uniqueFor how long the key is held, as an ISO 8601 duration; until the message has ended where it is missing
 * @param groupKey messages with the same one are done one at a time, in the order they came
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
        Retry retry,
        Map<String, String> metadata,
        String traceId) {

    /**
     * When failed attempts are followed by the next: after {@code first}, which grows by {@code factor} with each further one, up to
     * {@code most}. Durations are ISO 8601.
     */
    record Retry(String first, Double factor, String most) {

        static Retry of(RetryPolicy policy) {
            return new Retry(
                    policy.first().toString(), policy.factor(), policy.most().toString());
        }

        RetryPolicy toPolicy() {
            return toPolicy(RetryPolicy.DEFAULT);
        }

        /** @param usual what holds where something is missing */
        RetryPolicy toPolicy(RetryPolicy usual) {
            Duration begin = first == null ? usual.first() : duration("retry.first", first);
            Duration end = most == null ? longer(usual.most(), begin) : duration("retry.most", most);
            return new RetryPolicy(begin, factor == null ? usual.factor() : factor, end);
        }

        private static Duration longer(Duration one, Duration other) {
            return one.compareTo(other) < 0 ? other : one;
        }
    }

    MessageSpec toSpec(String defaultTraceId) {
        if (payload == null || payload.isNull()) {
            throw OrthException.invalid("payload", "is missing");
        }
        return new MessageSpec(
                payload.isString() ? payload.stringValue() : payload.toString(),
                lane == null ? Lane.DEFAULT : Lane.named("lane", lane),
                Instants.parseOptional("dueAt", dueAt),
                duration("delay", delay),
                uniqueKey,
                duration("uniqueFor", uniqueFor),
                groupKey,
                maxAttempts,
                retry == null ? null : retry.toPolicy(),
                metadata == null ? Map.of() : checked(metadata),
                traceId == null ? defaultTraceId : traceId);
    }

    private static Map<String, String> checked(Map<String, String> metadata) {
        metadata.forEach((name, value) -> {
            if (value == null) {
                throw OrthException.invalid("metadata." + name, "must not be null");
            }
        });
        return metadata;
    }

    private static Duration duration(String field, String text) {
        if (text == null) {
            return null;
        }
        try {
            return Duration.parse(text.strip());
        } catch (DateTimeException | ArithmeticException e) {
            throw OrthException.invalid(field, "is not an ISO 8601 duration such as PT30S");
        }
    }
}
