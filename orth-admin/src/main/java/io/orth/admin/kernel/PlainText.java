package io.orth.admin.kernel;

/** Checks for names, keys and notes: no control characters and no unpaired surrogates, which the database cannot store. */
public final class PlainText {

    private PlainText() {}

    public static boolean fits(String text, int longest) {
        return text.length() <= longest && text.chars().noneMatch(Character::isISOControl) && !hasHalfCharacters(text);
    }

    /** Returns whether the text contains unpaired surrogates. */
    public static boolean hasHalfCharacters(String text) {
        return text.codePoints().anyMatch(each -> each >= Character.MIN_SURROGATE && each <= Character.MAX_SURROGATE);
    }

    /** Rejects text that is null, blank or does not fit. */
    public static void require(String field, String text, int longest) {
        if (text == null || text.isBlank() || !fits(text, longest)) {
            throw OrthException.invalid(
                    field, "must have 1 to %d characters and no control characters".formatted(longest));
        }
    }

    /** Like {@link #require}, but accepts null. */
    public static void check(String field, String text, int longest) {
        if (text != null) {
            require(field, text, longest);
        }
    }

    /** Like {@link #require}, but accepts empty text. */
    public static void limit(String field, String text, int longest) {
        if (!fits(text, longest)) {
            throw OrthException.invalid(
                    field, "must have at most %d characters and no control characters".formatted(longest));
        }
    }
}
