package io.orth.executor;

/**
 * Thrown if source text cannot be compiled into a handler. The message is meant for the author of the source and becomes the
 * error of the run.
 */
public final class GlueSourceException extends Exception {

    private static final long serialVersionUID = 1;

    public GlueSourceException(String message) {
        super(message);
    }
}
