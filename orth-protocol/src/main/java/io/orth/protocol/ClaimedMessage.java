package io.orth.protocol;

import java.util.Map;

/**
 * A message of a queue that one executor instance may work on.
 *
 * @param attempt counts from 1; results name it
 * @param logId of this attempt's log
 * @param logDateTime when it was claimed, in milliseconds; picks the log file's day
 * @param pushedAt in milliseconds
 * @param metadata what the producer gave with it, beside the payload
 */
public record ClaimedMessage(
        long id,
        int attempt,
        int maxAttempts,
        long logId,
        long logDateTime,
        String payload,
        long pushedAt,
        Map<String, String> metadata,
        String traceId)
        implements WireMessage {

    public ClaimedMessage {
        metadata = Map.copyOf(metadata);
    }

    public static ClaimedMessage from(JsonObject json) {
        return new ClaimedMessage(
                json.requiredNumber("id"),
                json.requiredInteger("attempt"),
                json.requiredInteger("maxAttempts"),
                json.requiredNumber("logId"),
                json.requiredNumber("logDateTime"),
                json.text("payload", ""),
                json.number("pushedAt", 0),
                json.texts("metadata"),
                json.text("traceId"));
    }

    @Override
    public Map<String, Object> toJson() {
        return new Fields()
                .put("id", id)
                .put("attempt", attempt)
                .put("maxAttempts", maxAttempts)
                .put("logId", logId)
                .put("logDateTime", logDateTime)
                .put("payload", payload)
                .put("pushedAt", pushedAt)
                .put("metadata", metadata.isEmpty() ? null : metadata)
                .put("traceId", traceId)
                .toMap();
    }
}
