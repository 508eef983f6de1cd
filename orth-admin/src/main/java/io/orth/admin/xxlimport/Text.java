package io.orth.admin.xxlimport;

/** Makes text of others fit. */
final class Text {

    private Text() {}

    /** With spaces for control characters, and none at the ends. */
    static String oneLine(String text) {
        StringBuilder line = new StringBuilder(text.length());
        text.codePoints().forEach(c -> line.appendCodePoint(Character.isISOControl(c) ? ' ' : c));
        return line.toString().strip();
    }

    /** At most {@code longest} characters, no character cut in half. */
    static String cut(String text, int longest) {
        if (text.length() <= longest) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(longest - 1)) ? longest - 1 : longest;
        return text.substring(0, end).stripTrailing();
    }
}
