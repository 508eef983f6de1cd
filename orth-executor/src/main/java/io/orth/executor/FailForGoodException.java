package io.orth.executor;

/**
 * Thrown by a handler: no further attempt can fix the failure, so the message or the run of a job becomes a dead letter at once.
 */
public class FailForGoodException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public FailForGoodException(String reason) {
        super(reason);
    }

    public FailForGoodException(String reason, Throwable cause) {
        super(reason, cause);
    }
}
