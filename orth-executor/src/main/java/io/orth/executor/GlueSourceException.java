package io.orth.executor;

/** Source text that cannot become a handler. The message is for its author and becomes the run's failure. */
public final class GlueSourceException extends Exception {

    private static final long serialVersionUID = 1;

    public GlueSourceException(String message) {
        super(message);
    }
}
