package io.orth.executor;

/**
 * Thrown by a handler: no further attempt at this message would mend it, so it becomes a dead letter at once. A run of a job fails
 * as with any other exception.
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
