package io.orth.executor;

/** Thrown by a handler for a failure that no further attempt can fix. The message or run becomes a dead letter immediately. */
public class FailForGoodException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public FailForGoodException(String reason) {
        super(reason);
    }

    public FailForGoodException(String reason, Throwable cause) {
        super(reason, cause);
    }
}
