package io.orth.admin.kernel;

/** Text without control characters and without halves of characters, which the database cannot keep: names, keys, notes. */
public final class PlainText {

    private PlainText() {}

    public static boolean fits(String text, int longest) {
        return text.length() <= longest && text.chars().noneMatch(Character::isISOControl) && !hasHalfCharacters(text);
    }

    /** Lone surrogates. */
    public static boolean hasHalfCharacters(String text) {
        return text.codePoints().anyMatch(each -> each >= Character.MIN_SURROGATE && each <= Character.MAX_SURROGATE);
    }

    /** Fails unless it is given and fits. */
    public static void require(String field, String text, int longest) {
        if (text == null || text.isBlank() || !fits(text, longest)) {
            throw OrthException.invalid(
                    field, "must have 1 to %d characters and no control characters".formatted(longest));
        }
    }

    /** The same for text that may be null. */
    public static void check(String field, String text, int longest) {
        if (text != null) {
            require(field, text, longest);
        }
    }

    /** The same for text that may be empty. */
    public static void limit(String field, String text, int longest) {
        if (!fits(text, longest)) {
            throw OrthException.invalid(
                    field, "must have at most %d characters and no control characters".formatted(longest));
        }
    }
}
