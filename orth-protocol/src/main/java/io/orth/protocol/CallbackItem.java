package io.orth.protocol;

import java.util.Map;

/**
 * The result of one run, travelling back. A callback request is an array of these.
 *
 * @param logDateTime the trigger's, echoed; its name on the wire lacks the final e
 * @param handleCode see {@link Codes}; other positive codes are a handler's own kind of failure
 * @param instanceId the instance that ran it, which need not be the one that delivers it; null from foreign executors
 * @param nonRetryable whether a failure is one that no further attempt can fix
 * @param retryAfterMillis how long the handler wants the next attempt to wait, at most {@link MessageResult#LONGEST_RETRY_AFTER}; null
 *     where the job's backoff decides
 */
public record CallbackItem(
        long logId,
        long logDateTime,
        int handleCode,
        String handleMsg,
        String instanceId,
        boolean nonRetryable,
        Long retryAfterMillis)
        implements WireMessage {

    /** One that leaves it to the job what follows. */
    public CallbackItem(long logId, long logDateTime, int handleCode, String handleMsg, String instanceId) {
        this(logId, logDateTime, handleCode, handleMsg, instanceId, false, null);
    }

    /** The result that the instance remembers of a run it has finished. */
    public static CallbackItem remembered(KnownRuns.Known known, long logDateTime, String instanceId) {
        return new CallbackItem(
                known.logId(),
                logDateTime,
                known.handleCode(),
                known.handleMsg(),
                instanceId,
                known.nonRetryable(),
                known.retryAfterMillis());
    }

    /** Reads every generation's spelling of the two fields that changed names. */
    public static CallbackItem from(JsonObject json) {
        JsonObject result =
                json.has("handleCode") ? null : json.object("executeResult").orElse(null);
        return new CallbackItem(
                json.requiredNumber("logId"),
                json.optionalNumber("logDateTim").orElseGet(() -> json.number("logDateTime", 0)),
                result == null ? json.requiredInteger("handleCode") : result.integer("code", 0),
                result == null ? json.text("handleMsg") : result.text("msg"),
                json.text("instanceId"),
                json.flag("nonRetryable"),
                json.optionalNumber("retryAfterMillis").orElse(null));
    }

    @Override
    public Map<String, Object> toJson() {
        return new Fields()
                .put("logId", logId)
                .put("logDateTim", logDateTime)
                .put("handleCode", handleCode)
                .put("handleMsg", handleMsg)
                .put("instanceId", instanceId)
                .put("nonRetryable", nonRetryable ? true : null)
                .put("retryAfterMillis", retryAfterMillis)
                .toMap();
    }
}
