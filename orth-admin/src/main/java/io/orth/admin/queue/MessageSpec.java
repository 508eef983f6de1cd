package io.orth.admin.queue;

import io.orth.admin.kernel.Backoff;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.PlainText;
import io.orth.admin.kernel.RetryPolicy;
import io.orth.protocol.NewMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * A message to add. Null components take the queue's defaults.
 *
 * @param dueAt earliest start; null for immediately
 * @param delay earliest start, counted from now; excludes {@code dueAt}
 * @param uniqueKey while another message of the queue holds this key, the message is not added
 * @param uniqueFor how long the key is held; null until the message finishes
 * @param groupKey ordering key: messages with the same key run one at a time, in the order in which they were added
 * @param entityId the entity of another feature that the message carries ({@link CarriedWork}); null if it carries none
 */
public record MessageSpec(
        String payload,
        Lane lane,
        Instant dueAt,
        Duration delay,
        String uniqueKey,
        Duration uniqueFor,
        String groupKey,
        Integer maxAttempts,
        Backoff backoff,
        Map<String, String> metadata,
        String traceId,
        Long entityId) {

    private static final Duration LONGEST_DELAY = Duration.ofDays(366);
    private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");
    private static final int LONGEST_KEY = 200;
    private static final int LONGEST_TRACE_ID = 100;
    private static final int MOST_METADATA = 50;
    private static final int LONGEST_NAME = 100;
    private static final int LONGEST_VALUE = 1_000;

    public MessageSpec {
        metadata = Map.copyOf(metadata);
        if (dueAt != null && delay != null) {
            throw OrthException.invalid("dueAt", "and delay cannot both be given");
        }
        if (dueAt != null && (dueAt.isBefore(Instant.EPOCH) || dueAt.isAfter(LAST))) {
            throw OrthException.invalid("dueAt", "must be between the years 1970 and 9999");
        }
        if (delay != null && (delay.isNegative() || delay.compareTo(LONGEST_DELAY) > 0)) {
            throw OrthException.invalid("delay", "must be between 0 and 366 days");
        }
        PlainText.check("uniqueKey", uniqueKey, LONGEST_KEY);
        PlainText.check("groupKey", groupKey, LONGEST_KEY);
        PlainText.check("traceId", traceId, LONGEST_TRACE_ID);
        if (uniqueFor != null && uniqueKey == null) {
            throw OrthException.invalid("uniqueFor", "needs a uniqueKey");
        }
        if (uniqueFor != null
                && (uniqueFor.isNegative() || uniqueFor.isZero() || uniqueFor.compareTo(LONGEST_DELAY) > 0)) {
            throw OrthException.invalid("uniqueFor", "must be positive and at most 366 days");
        }
        if (maxAttempts != null) {
            RetryPolicy.checkMaxAttempts(maxAttempts);
        }
        if (payload.indexOf('\0') >= 0) {
            throw OrthException.invalid("payload", "must not contain the character 0");
        }
        if (PlainText.hasHalfCharacters(payload)) {
            throw OrthException.invalid("payload", "must not contain half a character");
        }
        checkMetadata(metadata);
    }

    /** Returns a message with this payload and the queue's defaults. */
    public static MessageSpec of(String payload) {
        return new MessageSpec(payload, Lane.DEFAULT, null, null, null, null, null, null, null, Map.of(), null, null);
    }

    /** Returns the message that an executor pushes. */
    public static MessageSpec of(NewMessage message) {
        return new MessageSpec(
                message.payload(),
                message.lane() == null ? Lane.DEFAULT : Lane.named("lane", message.lane()),
                message.dueAt() == null ? null : Instant.ofEpochMilli(message.dueAt()),
                millis(message.delayMillis()),
                message.uniqueKey(),
                millis(message.uniqueMillis()),
                message.groupKey(),
                message.maxAttempts(),
                message.backoff() == null ? null : Backoff.DEFAULT.with(message.backoff()),
                message.metadata(),
                message.traceId(),
                null);
    }

    /** Returns whether the message has an earliest start. */
    boolean isDelayed() {
        return dueAt != null || delay != null;
    }

    private static Duration millis(Long millis) {
        return millis == null ? null : Duration.ofMillis(millis);
    }

    /** Returns the same message with its delay counted from {@code then}. */
    MessageSpec delayedFrom(Instant then) {
        return delay == null
                ? this
                : new MessageSpec(
                        payload,
                        lane,
                        then.plus(delay),
                        null,
                        uniqueKey,
                        uniqueFor,
                        groupKey,
                        maxAttempts,
                        backoff,
                        metadata,
                        traceId,
                        entityId);
    }

    private static void checkMetadata(Map<String, String> metadata) {
        if (metadata.size() > MOST_METADATA) {
            throw OrthException.invalid("metadata", "must have at most %d entries".formatted(MOST_METADATA));
        }
        metadata.forEach((name, value) -> {
            PlainText.require("metadata", name, LONGEST_NAME);
            if (!value.isEmpty()) {
                PlainText.check("metadata." + name, value, LONGEST_VALUE);
            }
        });
    }
}
