package io.orth.admin.queue;

import io.orth.admin.deadletter.ErrorText;
import io.orth.admin.registry.HeldWork;
import io.orth.protocol.Codes;
import io.orth.protocol.MessageResult;
import java.time.Duration;
import java.util.Arrays;

/**
 * How an attempt failed.
 *
 * @param code the handler's; see {@link Codes}
 * @param error what is wrong, in one line
 * @param stack where it happened; null where nobody said
 */
record Failure(int code, String error, String stack, long runMillis) {

    private static final long LONGEST_RUN_MILLIS = Duration.ofDays(366).toMillis();

    static Failure of(MessageResult result) {
        ErrorText text = ErrorText.of(result.text());
        return new Failure(result.code(), text.error(), text.stack(), runMillis(result));
    }

    /** How long the handler took, as far as what the executor says can be. */
    static long runMillis(MessageResult result) {
        return Math.max(0, Math.min(result.runMillis(), LONGEST_RUN_MILLIS));
    }

    static Failure lost() {
        return new Failure(Codes.FAIL, "its executor is gone", null, 0);
    }

    /** The executor is online. */
    static Failure of(HeldWork.Loss loss) {
        return new Failure(Codes.FAIL, loss.words(), null, 0);
    }

    boolean isLoss() {
        return equals(lost())
                || Arrays.stream(HeldWork.Loss.values()).map(Failure::of).anyMatch(this::equals);
    }

    /** The same for failures that are of one kind. */
    String fingerprint() {
        return new ErrorText(error, stack).fingerprint();
    }
}
