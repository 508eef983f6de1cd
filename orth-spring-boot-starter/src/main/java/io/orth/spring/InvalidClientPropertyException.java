package io.orth.spring;

/** Thrown for an invalid property of the client. The message starts with the property's key. */
final class InvalidClientPropertyException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** @param optionAndReason the client's message, which starts with the option's name */
    InvalidClientPropertyException(String optionAndReason) {
        super("%s.%s".formatted(OrthClientProperties.PREFIX, optionAndReason));
    }
}
