package io.orth.spring;

import java.util.Locale;

/** Thrown for an invalid property of the executor. The message starts with the property's key. */
final class InvalidExecutorPropertyException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** @param optionAndReason the executor's message, which starts with the option's name */
    InvalidExecutorPropertyException(String optionAndReason) {
        super("%s.%s".formatted(OrthExecutorProperties.PREFIX, withKey(optionAndReason)));
    }

    private static String withKey(String optionAndReason) {
        String option = optionAndReason.split(" ", 2)[0];
        String key = option.equals("maxLogBytes")
                ? "max-log-size"
                : option.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
        return key + optionAndReason.substring(option.length());
    }
}
