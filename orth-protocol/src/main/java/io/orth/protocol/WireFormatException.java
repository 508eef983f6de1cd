package io.orth.protocol;

/** A message that cannot be read; the text names the field or the place and is safe to send back. */
public final class WireFormatException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public WireFormatException(String message) {
        super(message);
    }

    public WireFormatException(String message, Throwable cause) {
        super(message, cause);
    }
}
