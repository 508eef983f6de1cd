package io.orth.protocol;

import java.util.regex.Pattern;

/** Detects settings whose placeholder was not replaced, because the variable it names is not set. */
public final class Placeholders {

    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{[^}]*}");

    private Placeholders() {}

    /**
     * Rejects a secret that contains a placeholder such as <code>${TOKEN}</code>: no admin issues such a token.
     *
     * @throws IllegalArgumentException with the name of the setting and its value
     */
    public static void refuse(String setting, String value) {
        if (value != null && PLACEHOLDER.matcher(value).find()) {
            throw new IllegalArgumentException(
                    "%s is the literal text '%s': set the variable that the placeholder names"
                            .formatted(setting, value));
        }
    }
}
