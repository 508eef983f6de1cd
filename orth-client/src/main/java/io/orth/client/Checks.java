package io.orth.client;

import java.util.regex.Pattern;

/** What an admin would refuse is refused before it is sent, in the same words. */
final class Checks {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._:-]{1,100}");

    private Checks() {}

    static void that(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }

    /** Null is fine: it is not given. */
    static void text(String field, String text, int longest) {
        if (text != null) {
            that(
                    !text.isBlank() && text.length() <= longest && text.chars().noneMatch(Character::isISOControl),
                    "%s must have 1 to %d characters and no control characters".formatted(field, longest));
        }
    }

    /** The name of a queue, or a key of the same form. */
    static String name(String field, String name) {
        that(
                name != null && NAME.matcher(name).matches(),
                "%s must be 1 to 100 letters, digits, dots, dashes, colons or underscores".formatted(field));
        return name;
    }
}
