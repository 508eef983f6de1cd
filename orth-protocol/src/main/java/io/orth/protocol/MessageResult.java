package io.orth.protocol;

import java.time.Duration;

/**
 * The result of one claim of a message. It counts only while this executor has the message under this claim.
 *
 * @param logId the claim's, as in {@link ClaimedMessage}: each claim has its own, so the result of an earlier one never counts
 * @param code see {@link Codes}; {@link Codes#NONE} where it was not begun, so that the attempt does not count
 * @param text what was said, or why it failed: an error, and on the lines that follow its stack. Null if nothing
 * @param forGood whether a failure is one that no further attempt would mend
 * @param retryAfterMillis how long the handler wants the next attempt to wait, at most {@link #LONGEST_RETRY_AFTER}; null where the
 *     queue's rule decides
 * @param runMillis how long the handler took
 * @param task what the attempt left of the pipeline task that the message carries; null if it carries none
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

    /** Who asks for more waits no longer. */
    public static final Duration LONGEST_RETRY_AFTER = Duration.ofDays(366);

    /** The result of a message that carries no task. */
    public MessageResult(
            long id, long logId, int code, String text, boolean forGood, Long retryAfterMillis, long runMillis) {
        this(id, logId, code, text, forGood, retryAfterMillis, runMillis, null);
    }

    /** The same with what the attempt left of the task that the message carries. */
    public MessageResult with(TaskOutcome outcome) {
        return new MessageResult(id, logId, code, text, forGood, retryAfterMillis, runMillis, outcome);
    }

    /** Caps a requested delay. */
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
