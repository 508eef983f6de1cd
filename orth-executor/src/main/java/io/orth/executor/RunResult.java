package io.orth.executor;

import io.orth.protocol.Codes;
import java.time.Duration;
import java.util.Objects;

/**
 * What a handler reports back: success, failure or timeout, or a code of the application's own, which counts as failure. The
 * text may be null.
 */
public sealed interface RunResult {

    /** The code and the text as they travel to the admin. */
    int code();

    String text();

    static RunResult success() {
        return new Succeeded(null);
    }

    static RunResult success(String message) {
        return new Succeeded(message);
    }

    static RunResult fail(String reason) {
        return new Failed(reason);
    }

    /** A failure that no further attempt can fix. */
    static RunResult failForGood(String reason) {
        return new FailedForGood(reason);
    }

    /**
     * A failure after which the next attempt at the message is to wait for this long, whatever the queue's own rule is; the attempt
     * counts all the same.
     */
    static RunResult retryAfter(Duration delay, String reason) {
        return new RetryAfter(delay, reason);
    }

    static RunResult timeout(String reason) {
        return new TimedOut(reason);
    }

    /** The result with this code. A code that is not positive says nothing, so the run fails as one whose result was lost. */
    static RunResult of(int code, String text) {
        if (code <= 0) {
            return new Failed("job handle result lost.");
        }
        return switch (code) {
            case Codes.SUCCESS -> new Succeeded(text);
            case Codes.FAIL -> new Failed(text);
            case Codes.TIMEOUT -> new TimedOut(text);
            default -> new Other(code, text);
        };
    }

    record Succeeded(String text) implements RunResult {
        @Override
        public int code() {
            return Codes.SUCCESS;
        }
    }

    record Failed(String text) implements RunResult {
        @Override
        public int code() {
            return Codes.FAIL;
        }
    }

    record FailedForGood(String text) implements RunResult {
        @Override
        public int code() {
            return Codes.FAIL;
        }
    }

    /** @param delay not negative */
    record RetryAfter(Duration delay, String text, int code) implements RunResult {

        public RetryAfter {
            Objects.requireNonNull(delay, "delay");
            if (delay.isNegative()) {
                throw new IllegalArgumentException("the delay of a retry must not be negative, got " + delay);
            }
        }

        public RetryAfter(Duration delay, String text) {
            this(delay, text, Codes.FAIL);
        }
    }

    record TimedOut(String text) implements RunResult {
        @Override
        public int code() {
            return Codes.TIMEOUT;
        }
    }

    /** Ended with a code that means something to the application only. */
    record Other(int code, String text) implements RunResult {

        public Other {
            if (code <= 0) {
                throw new IllegalArgumentException("a result's code must be positive, got " + code);
            }
        }
    }
}
