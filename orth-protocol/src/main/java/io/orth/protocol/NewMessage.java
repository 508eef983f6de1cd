package io.orth.protocol;

import java.util.Map;

/**
 * A message to be pushed to a queue. The queue decides about null fields.
 *
 * @param payload JSON or any other text
 * @param lane {@code CRITICAL}, {@code HIGH}, {@code DEFAULT} or {@code LOW}
 * @param dueAt earliest start in milliseconds; immediately if both this and {@code delayMillis} are null
 * @param delayMillis earliest start relative to now
 * @param uniqueKey while another message of the queue holds this key, this message is not added
 * @param uniqueMillis how long the key is held; if null, until the message is finished
 * @param groupKey ordering key: messages of a queue with the same key are processed one at a time, in push order
 */
public record NewMessage(
        String payload,
        String lane,
        Long dueAt,
        Long delayMillis,
        String uniqueKey,
        Long uniqueMillis,
        String groupKey,
        Integer maxAttempts,
        BackoffMillis backoff,
        Map<String, String> metadata,
        String traceId)
        implements WireMessage {

    public NewMessage {
        metadata = metadata == null ? Map.of() : Map.copyOf(metadata);
    }

    /** Returns a message with the queue's defaults. */
    public static NewMessage of(String payload) {
        return new NewMessage(payload, null, null, null, null, null, null, null, null, Map.of(), null);
    }

    public static NewMessage from(JsonObject json) {
        return new NewMessage(
                json.text("payload", ""),
                json.text("lane"),
                json.optionalNumber("dueAt").orElse(null),
                json.optionalNumber("delayMillis").orElse(null),
                json.text("uniqueKey"),
                json.optionalNumber("uniqueMillis").orElse(null),
                json.text("groupKey"),
                json.has("maxAttempts") ? json.requiredInteger("maxAttempts") : null,
                json.object("backoff").map(BackoffMillis::from).orElse(null),
                json.texts("metadata"),
                json.text("traceId"));
    }

    @Override
    public Map<String, Object> toJson() {
        return new Fields()
                .put("payload", payload)
                .put("lane", lane)
                .put("dueAt", dueAt)
                .put("delayMillis", delayMillis)
                .put("uniqueKey", uniqueKey)
                .put("uniqueMillis", uniqueMillis)
                .put("groupKey", groupKey)
                .put("maxAttempts", maxAttempts)
                .put("backoff", backoff == null ? null : backoff.toJson())
                .put("metadata", metadata.isEmpty() ? null : metadata)
                .put("traceId", traceId)
                .toMap();
    }
}
