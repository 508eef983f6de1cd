package io.orth.executor;

import io.orth.protocol.Codes;
import java.time.Duration;
import java.util.Objects;

/**
 * The result that a handler reports: success, failure, timeout, or an application-specific code, which counts as failure. The
 * text may be null.
 */
public sealed interface RunResult {

    /** Returns the code that is sent to the admin. */
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

    /** Returns a failure that no further attempt can fix. */
    static RunResult failForGood(String reason) {
        return new FailedForGood(reason);
    }

    /**
     * Returns a failure that sets the delay before the next attempt, which overrides the backoff of the job or queue. The attempt
     * counts towards the maximum.
     */
    static RunResult retryAfter(Duration delay, String reason) {
        return new RetryAfter(delay, reason);
    }

    static RunResult timeout(String reason) {
        return new TimedOut(reason);
    }

    /** Returns the result with this code. A code that is not positive is reported as a failure with a lost result. */
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

    /** A result with an application-specific code. */
    record Other(int code, String text) implements RunResult {

        public Other {
            if (code <= 0) {
                throw new IllegalArgumentException("a result's code must be positive, got " + code);
            }
        }
    }
}
