package io.orth.postgres;

/** The embedded server cannot be had. The message is one sentence for the person who started Orth. */
public final class EmbeddedPostgresException extends RuntimeException {

    EmbeddedPostgresException(String message) {
        super(message);
    }

    EmbeddedPostgresException(String message, Throwable cause) {
        super(message, cause);
    }
}
