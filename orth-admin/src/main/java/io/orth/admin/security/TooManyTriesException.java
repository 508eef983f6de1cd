package io.orth.admin.security;

import java.time.Duration;

/** Rejection of a caller that must wait before the next attempt. */
public final class TooManyTriesException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final Duration retryAfter;

    public TooManyTriesException(Duration retryAfter) {
        super("too many tries");
        this.retryAfter = retryAfter;
    }

    public Duration retryAfter() {
        return retryAfter;
    }
}
