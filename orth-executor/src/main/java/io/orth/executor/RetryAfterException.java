package io.orth.executor;

import java.time.Duration;

/**
 * Thrown by a handler: the attempt has failed, and the next one waits for a time of the handler's choice, as where a service says
 * when to come back.
 */
public class RetryAfterException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final Duration delay;

    /** @param delay counts from the end of this attempt; a negative one counts as none */
    public RetryAfterException(Duration delay, String reason) {
        this(delay, reason, null);
    }

    /** @param delay counts from the end of this attempt; a negative one counts as none */
    public RetryAfterException(Duration delay, String reason, Throwable cause) {
        super(reason, cause);
        this.delay = delay == null || delay.isNegative() ? Duration.ZERO : delay;
    }

    public Duration delay() {
        return delay;
    }
}
