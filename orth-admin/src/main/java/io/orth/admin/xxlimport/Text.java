package io.orth.admin.xxlimport;

import io.orth.admin.kernel.TextCut;

/** Makes text of others fit. */
final class Text {

    private Text() {}

    /** With spaces for control characters, and none at the ends. */
    static String oneLine(String text) {
        StringBuilder line = new StringBuilder(text.length());
        text.codePoints().forEach(c -> line.appendCodePoint(Character.isISOControl(c) ? ' ' : c));
        return line.toString().strip();
    }

    /** One line of at most {@code longest} characters. */
    static String line(String text, int longest) {
        return cut(oneLine(text), longest);
    }

    /** As messages quote it. */
    static String shown(String text) {
        return line(text, 100);
    }

    /** At most {@code longest} characters, no character cut in half. */
    static String cut(String text, int longest) {
        return text.length() <= longest ? text : TextCut.to(text, longest).stripTrailing();
    }
}
