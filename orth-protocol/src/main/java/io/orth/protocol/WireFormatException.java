package io.orth.protocol;

/** Thrown for a message that cannot be read. The text names the field or the position and is safe to return to the sender. */
public final class WireFormatException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public WireFormatException(String message) {
        super(message);
    }

    public WireFormatException(String message, Throwable cause) {
        super(message, cause);
    }
}
