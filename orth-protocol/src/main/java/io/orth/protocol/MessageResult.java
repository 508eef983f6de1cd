package io.orth.protocol;

import java.time.Duration;

/**
 * The result of one claim of a message. It counts only while this executor holds the message under this claim.
 *
 * @param logId log id of the claim, as in {@link ClaimedMessage}: unique per claim, so the result of an earlier claim never counts
 * @param code see {@link Codes}; {@link Codes#NONE} if the message was not started, so that the attempt does not count
 * @param text output or failure: an error, and its stack trace on the following lines. Null if there is none
 * @param forGood whether no further attempt can fix the failure
 * @param retryAfterMillis delay requested by the handler before the next attempt, at most {@link #LONGEST_RETRY_AFTER}; null if the
 *     queue's settings decide
 * @param runMillis duration of the handler call
 * @param task outcome for the pipeline task that the message carries; null if it carries none
 */
public record MessageResult(
        long id,
        long logId,
        int code,
        String text,
        boolean forGood,
        Long retryAfterMillis,
        long runMillis,
        TaskOutcome task)
        implements ToldMessage {

    /** Longer requested delays are reduced to this. */
    public static final Duration LONGEST_RETRY_AFTER = Duration.ofDays(366);

    /** Creates the result of a message that carries no task. */
    public MessageResult(
            long id, long logId, int code, String text, boolean forGood, Long retryAfterMillis, long runMillis) {
        this(id, logId, code, text, forGood, retryAfterMillis, runMillis, null);
    }

    /** Returns a copy with the outcome for the task that the message carries. */
    public MessageResult with(TaskOutcome outcome) {
        return new MessageResult(id, logId, code, text, forGood, retryAfterMillis, runMillis, outcome);
    }

    /** Converts a requested delay to milliseconds, capped at {@link #LONGEST_RETRY_AFTER}. */
    public static Long millisOf(Duration delay) {
        return (delay.compareTo(LONGEST_RETRY_AFTER) < 0 ? delay : LONGEST_RETRY_AFTER).toMillis();
    }

    public static MessageResult from(JsonObject json) {
        return new MessageResult(
                json.requiredNumber("id"),
                json.requiredNumber("logId"),
                json.requiredInteger("code"),
                json.text("text"),
                json.flag("forGood"),
                json.optionalNumber("retryAfterMillis").orElse(null),
                json.number("runMillis", 0),
                json.object("task").map(TaskOutcome::from).orElse(null));
    }

    @Override
    public void tell(FieldSink fields) {
        fields.put("id", id)
                .put("logId", logId)
                .put("code", code)
                .put("text", text)
                .put("forGood", forGood ? true : null)
                .put("retryAfterMillis", retryAfterMillis)
                .put("runMillis", runMillis == 0 ? null : runMillis)
                .putObject("task", task == null ? null : task::tell);
    }
}
