package io.orth.executor;

import java.time.Duration;

/** Thrown by a handler to fail the attempt and set the delay before the next one, for example from a {@code Retry-After} header. */
public class RetryAfterException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final Duration delay;

    /** @param delay counted from the end of this attempt; null and negative values count as zero */
    public RetryAfterException(Duration delay, String reason) {
        this(delay, reason, null);
    }

    /** @param delay counted from the end of this attempt; null and negative values count as zero */
    public RetryAfterException(Duration delay, String reason, Throwable cause) {
        super(reason, cause);
        this.delay = delay == null || delay.isNegative() ? Duration.ZERO : delay;
    }

    public Duration delay() {
        return delay;
    }
}
