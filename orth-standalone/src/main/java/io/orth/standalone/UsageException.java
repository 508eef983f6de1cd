package io.orth.standalone;

/** A mistake on the command line, in one sentence. */
final class UsageException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UsageException(String message) {
        super(message);
    }
}
