package io.orth.client;

import io.orth.protocol.NewMessage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * A message to be pushed: {@code Message.of(letter).delay(Duration.ofMinutes(5)).lane(Lane.HIGH)}. Unset options take the queue's defaults.
 * Immutable: each method returns a new message. Invalid values are rejected with an {@link IllegalArgumentException}.
 */
public final class Message {

    private static final Duration LONGEST_DELAY = Duration.ofDays(366);
    private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");
    private static final int LONGEST_KEY = 200;
    private static final int LONGEST_TRACE_ID = 100;
    private static final int MOST_ATTEMPTS = 100;
    private static final int MOST_METADATA = 50;
    private static final int LONGEST_NAME = 100;
    private static final int LONGEST_VALUE = 1_000;
    /** The upper limit of all admins; most are configured with a lower one. */
    private static final int LARGEST_PAYLOAD = 4 * 1024 * 1024;

    private final Object payload;
    /** Only assigned while a message is created. */
    private Lane lane;

    private Instant dueAt;
    private Duration delay;
    private String uniqueKey;
    private Duration uniqueFor;
    private String groupKey;
    private Integer maxAttempts;
    private Backoff backoff;
    private Map<String, String> metadata = Map.of();
    private String traceId;

    private Message(Object payload) {
        this.payload = Objects.requireNonNull(payload, "payload");
    }

    private Message(Message other) {
        this(other.payload);
        lane = other.lane;
        dueAt = other.dueAt;
        delay = other.delay;
        uniqueKey = other.uniqueKey;
        uniqueFor = other.uniqueFor;
        groupKey = other.groupKey;
        maxAttempts = other.maxAttempts;
        backoff = other.backoff;
        metadata = other.metadata;
        traceId = other.traceId;
    }

    /** @param payload a text, which is sent unchanged, or a record, map, list or number, which is sent as JSON */
    public static Message of(Object payload) {
        return new Message(payload);
    }

    /** Returns the argument if it is a message, otherwise a message with this payload. */
    static Message from(Object payloadOrMessage) {
        return payloadOrMessage instanceof Message message ? message : of(payloadOrMessage);
    }

    public Message lane(Lane value) {
        Message copy = new Message(this);
        copy.lane = value;
        return copy;
    }

    /** Sets the minimum delay between the push and the first attempt. */
    public Message delay(Duration value) {
        Checks.that(!value.isNegative() && value.compareTo(LONGEST_DELAY) <= 0, "delay must be between 0 and 366 days");
        Message copy = new Message(this);
        copy.delay = value;
        copy.dueAt = null;
        return copy;
    }

    /** Sets the earliest time of the first attempt. */
    public Message dueAt(Instant value) {
        Checks.that(
                !value.isBefore(Instant.EPOCH) && !value.isAfter(LAST),
                "dueAt must be between the years 1970 and 9999");
        Message copy = new Message(this);
        copy.dueAt = value;
        copy.delay = null;
        return copy;
    }

    /** Sets the unique key. The message is not added while an unfinished message of the queue has this key. */
    public Message uniqueKey(String value) {
        Checks.text("uniqueKey", value, LONGEST_KEY);
        Message copy = new Message(this);
        copy.uniqueKey = value;
        copy.uniqueFor = null;
        return copy;
    }

    /** Sets the unique key, which is held for this time from the push on, whatever happens to the message. */
    public Message uniqueKey(String value, Duration window) {
        Checks.that(
                !window.isNegative() && !window.isZero() && window.compareTo(LONGEST_DELAY) <= 0,
                "uniqueFor must be positive and at most 366 days");
        Checks.that(value != null, "uniqueFor needs a uniqueKey");
        Message copy = uniqueKey(value);
        copy.uniqueFor = window;
        return copy;
    }

    /** Sets the ordering key. Messages with the same key run one at a time, in the order they were pushed. */
    public Message groupKey(String value) {
        Checks.text("groupKey", value, LONGEST_KEY);
        Message copy = new Message(this);
        copy.groupKey = value;
        return copy;
    }

    public Message maxAttempts(int value) {
        Checks.that(value >= 1 && value <= MOST_ATTEMPTS, "maxAttempts must be between 1 and " + MOST_ATTEMPTS);
        Message copy = new Message(this);
        copy.maxAttempts = value;
        return copy;
    }

    public Message backoff(Backoff value) {
        Message copy = new Message(this);
        copy.backoff = value;
        return copy;
    }

    /** Sets the trace id, which identifies the message in logs and in the journal. Defaults to the trace id of the call. */
    public Message traceId(String value) {
        Checks.text("traceId", value, LONGEST_TRACE_ID);
        Message copy = new Message(this);
        copy.traceId = value;
        return copy;
    }

    /** Adds a text that is stored with the message. */
    public Message metadata(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(metadata);
        more.put(name, value);
        return metadata(more);
    }

    public Message metadata(Map<String, String> value) {
        Map<String, String> all = Map.copyOf(value);
        Checks.that(all.size() <= MOST_METADATA, "metadata must have at most %d entries".formatted(MOST_METADATA));
        all.forEach((name, text) -> {
            Checks.text("metadata", name, LONGEST_NAME);
            if (!text.isEmpty()) {
                Checks.text("metadata." + name, text, LONGEST_VALUE);
            }
        });
        Message copy = new Message(this);
        copy.metadata = all;
        return copy;
    }

    /** Converts to the form of the inbox table. */
    NewMessage toWire(Function<Object, String> payloads) {
        return new NewMessage(
                text(payloads),
                lane == null ? null : lane.name(),
                dueAt == null ? null : dueAt.toEpochMilli(),
                delay == null ? null : delay.toMillis(),
                uniqueKey,
                uniqueFor == null ? null : uniqueFor.toMillis(),
                groupKey,
                maxAttempts,
                backoff == null ? null : backoff.toWire(),
                metadata,
                traceId);
    }

    /** Converts to the form of the REST API. */
    Map<String, Object> toBody(Function<Object, String> payloads) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("payload", text(payloads));
        put(body, "lane", lane);
        put(body, "dueAt", dueAt);
        put(body, "delay", delay);
        put(body, "uniqueKey", uniqueKey);
        put(body, "uniqueFor", uniqueFor);
        put(body, "groupKey", groupKey);
        if (maxAttempts != null) {
            body.put("maxAttempts", maxAttempts);
        }
        if (backoff != null) {
            body.put("backoff", backoff.toBody());
        }
        if (!metadata.isEmpty()) {
            body.put("metadata", metadata);
        }
        put(body, "traceId", traceId);
        return body;
    }

    private static void put(Map<String, Object> body, String name, Object value) {
        if (value != null) {
            body.put(name, value.toString());
        }
    }

    private String text(Function<Object, String> payloads) {
        String text = payload instanceof String same ? same : payloads.apply(payload);
        Checks.that(text.indexOf('\0') < 0, "payload must not contain the character 0");
        // A UTF-16 unit has at most 3 bytes in UTF-8, so most payloads need no encoding to be measured.
        Checks.that(
                text.length() * 3L <= LARGEST_PAYLOAD
                        || text.getBytes(StandardCharsets.UTF_8).length <= LARGEST_PAYLOAD,
                "payload must have at most %d bytes".formatted(LARGEST_PAYLOAD));
        return text;
    }
}
