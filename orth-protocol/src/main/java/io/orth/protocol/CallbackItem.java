package io.orth.protocol;

import java.util.Map;

/**
 * The result of one run, sent by its executor. A callback request is an array of these.
 *
 * @param logDateTime echo of the trigger's value; its name on the wire lacks the final e
 * @param handleCode see {@link Codes}; other positive codes are defined by handlers
 * @param instanceId the instance that executed the run, which need not be the one that delivers the result; null from XXL-JOB executors
 * @param nonRetryable whether no further attempt can fix the failure
 * @param retryAfterMillis delay requested by the handler before the next attempt, at most {@link MessageResult#LONGEST_RETRY_AFTER}; null
 *     if the job's backoff decides
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

    /** Creates a result that leaves the retry decision to the job. */
    public CallbackItem(long logId, long logDateTime, int handleCode, String handleMsg, String instanceId) {
        this(logId, logDateTime, handleCode, handleMsg, instanceId, false, null);
    }

    /** Returns the result that the instance remembers of a finished run. */
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

    /** Reads the two renamed fields in the spelling of each generation of the wire. */
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
