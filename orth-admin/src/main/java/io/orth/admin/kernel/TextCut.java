package io.orth.admin.kernel;

/** Truncates text without splitting surrogate pairs. */
public final class TextCut {

    private TextCut() {}

    /** Returns at most {@code length} characters. */
    public static String to(String text, int length) {
        if (text.length() <= length) {
            return text;
        }
        return text.substring(0, Character.isHighSurrogate(text.charAt(length - 1)) ? length - 1 : length);
    }

    /** Returns at most {@code length} characters, including an ellipsis if truncated. */
    public static String marked(String text, int length) {
        return text.length() <= length ? text : to(text, length - 1) + "…";
    }
}
