package io.orth.spring;

/** Thrown for a property that the starter does not have. The message starts with the property's key. */
final class UnknownSettingException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UnknownSettingException(String message) {
        super(message);
    }
}
