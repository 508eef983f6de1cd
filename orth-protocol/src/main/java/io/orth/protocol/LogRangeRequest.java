package io.orth.protocol;

import java.util.Map;

/** Request for a run's log from a byte on. */
public record LogRangeRequest(long logId, long logDateTime, long from, int maxBytes) implements WireMessage {

    public static LogRangeRequest from(JsonObject json) {
        return new LogRangeRequest(
                json.requiredNumber("logId"),
                json.requiredNumber("logDateTime"),
                json.number("from", 0),
                json.integer("maxBytes", 64 * 1024));
    }

    @Override
    public Map<String, Object> toJson() {
        return new Fields()
                .put("logId", logId)
                .put("logDateTime", logDateTime)
                .put("from", from)
                .put("maxBytes", maxBytes)
                .toMap();
    }
}
