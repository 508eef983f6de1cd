package io.orth.admin.queue;

import io.orth.admin.deadletter.ErrorText;
import io.orth.admin.registry.HeldWork;
import io.orth.protocol.Codes;
import io.orth.protocol.MessageResult;
import java.time.Duration;
import java.util.Arrays;

/**
 * Failure of an attempt.
 *
 * @param code code of the handler; see {@link Codes}
 * @param error the error in one line
 * @param stack stack trace; null if none was reported
 */
record Failure(int code, String error, String stack, long runMillis) {

    private static final long LONGEST_RUN_MILLIS = Duration.ofDays(366).toMillis();

    static Failure of(MessageResult result) {
        ErrorText text = ErrorText.of(result.text());
        return new Failure(result.code(), text.error(), text.stack(), runMillis(result));
    }

    /** Returns the run time of the handler, restricted to plausible values. */
    static long runMillis(MessageResult result) {
        return Math.max(0, Math.min(result.runMillis(), LONGEST_RUN_MILLIS));
    }

    static Failure lost() {
        return new Failure(Codes.FAIL, "its executor is gone", null, 0);
    }

    /** Returns the failure of a lost attempt whose executor is online. */
    static Failure of(HeldWork.Loss loss) {
        return new Failure(Codes.FAIL, loss.words(), null, 0);
    }

    boolean isLoss() {
        return equals(lost())
                || Arrays.stream(HeldWork.Loss.values()).map(Failure::of).anyMatch(this::equals);
    }

    /** Returns a value that is the same for all failures of one kind. */
    String fingerprint() {
        return new ErrorText(error, stack).fingerprint();
    }
}
