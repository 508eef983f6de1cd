package io.orth.client;

import java.util.regex.Pattern;

/** Client-side validation with the same rules and messages as the admin. */
final class Checks {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._:-]{1,100}");
    private static final Pattern SHORT_NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");
    private static final Pattern DOTS = Pattern.compile("\\.{1,2}");

    private Checks() {}

    static void that(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }

    /** Accepts null, which means that the value is not given. */
    static void text(String field, String text, int longest) {
        if (text != null) {
            that(
                    !text.isBlank() && text.length() <= longest && text.chars().noneMatch(Character::isISOControl),
                    "%s must have 1 to %d characters and no control characters".formatted(field, longest));
        }
    }

    /** Checks the name of a queue, or a key of the same form. */
    static String name(String field, String name) {
        that(
                name != null && NAME.matcher(name).matches(),
                "%s must be 1 to 100 letters, digits, dots, dashes, colons or underscores".formatted(field));
        return name;
    }

    /** Checks the name of a pipeline or stage, or the type of a target. */
    static String shortName(String field, String name) {
        that(
                name != null && SHORT_NAME.matcher(name).matches(),
                "%s must be 1 to 64 letters, digits, dots, dashes or underscores".formatted(field));
        return name;
    }

    /** Checks a name that becomes a path segment, where {@code .} and {@code ..} would change the path. */
    static String inPath(String field, String name) {
        that(!DOTS.matcher(name).matches(), "%s must be more than dots".formatted(field));
        return name;
    }
}
