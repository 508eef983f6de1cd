package io.orth.cli;

/** Thrown for unusable input; the message names it and the reason. */
final class UsageException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UsageException(String message) {
        super(message);
    }
}
