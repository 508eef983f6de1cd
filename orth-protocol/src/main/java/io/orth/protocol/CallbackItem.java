package io.orth.protocol;

import java.util.Map;

/**
 * The result of one run, travelling back. A callback request is an array of these.
 *
 * @param logDateTime the trigger's, echoed; its name on the wire lacks the final e
 * @param handleCode see {@link Codes}; other positive codes are a handler's own kind of failure
 * @param instanceId the instance that ran it, which need not be the one that delivers it; null from foreign executors
 */
public record CallbackItem(long logId, long logDateTime, int handleCode, String handleMsg, String instanceId)
        implements WireMessage {

    /** Reads every generation's spelling of the two fields that changed names. */
    public static CallbackItem from(JsonObject json) {
        JsonObject result =
                json.has("handleCode") ? null : json.object("executeResult").orElse(null);
        return new CallbackItem(
                json.requiredNumber("logId"),
                json.optionalNumber("logDateTim").orElseGet(() -> json.number("logDateTime", 0)),
                result == null ? json.requiredInteger("handleCode") : result.integer("code", 0),
                result == null ? json.text("handleMsg") : result.text("msg"),
                json.text("instanceId"));
    }

    @Override
    public Map<String, Object> toJson() {
        return new Fields()
                .put("logId", logId)
                .put("logDateTim", logDateTime)
                .put("handleCode", handleCode)
                .put("handleMsg", handleMsg)
                .put("instanceId", instanceId)
                .toMap();
    }
}
