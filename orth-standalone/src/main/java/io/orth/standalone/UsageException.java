package io.orth.standalone;

/** Thrown for a mistake on the command line; the message is one sentence. */
final class UsageException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UsageException(String message) {
        super(message);
    }
}
