package io.orth.protocol;

import java.util.Map;

/** Request for a run's log from a line on, counted from 1. */
public record LogRequest(long logId, long logDateTime, int fromLine) implements WireMessage {

    public static LogRequest from(JsonObject json) {
        return new LogRequest(
                json.requiredNumber("logId"),
                json.optionalNumber("logDateTim").orElseGet(() -> json.number("logDateTime", 0)),
                json.integer("fromLineNum", 1));
    }

    @Override
    public Map<String, Object> toJson() {
        return new Fields()
                .put("logDateTim", logDateTime)
                .put("logId", logId)
                .put("fromLineNum", fromLine)
                .toMap();
    }
}
