package io.orth.admin.boot;

/** Failure that prevents the admin from starting. The message is one sentence for the operator. */
final class StartFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    StartFailure(String message) {
        super(message);
    }

    StartFailure(String message, Throwable cause) {
        super(message, cause);
    }

    /** Returns the first line of the failure's message; empty if the message is empty. */
    static String firstLine(Throwable failure) {
        return String.valueOf(failure.getMessage())
                .lines()
                .findFirst()
                .orElse("")
                .strip();
    }
}
