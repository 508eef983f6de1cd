package io.orth.admin.kernel;

/** Cuts text without cutting a character in half. */
public final class TextCut {

    private TextCut() {}

    /** At most {@code length} characters. */
    public static String to(String text, int length) {
        if (text.length() <= length) {
            return text;
        }
        return text.substring(0, Character.isHighSurrogate(text.charAt(length - 1)) ? length - 1 : length);
    }

    /** At most {@code length} characters, the mark of the cut among them. */
    public static String marked(String text, int length) {
        return text.length() <= length ? text : to(text, length - 1) + "…";
    }
}
