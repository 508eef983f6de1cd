package io.orth.admin.xxlimport;

import io.orth.admin.kernel.TextCut;

/** Utilities that adapt imported text to Orth's limits. */
final class Text {

    private Text() {}

    /** Replaces control characters with spaces and strips the text. */
    static String oneLine(String text) {
        StringBuilder line = new StringBuilder(text.length());
        text.codePoints().forEach(c -> line.appendCodePoint(Character.isISOControl(c) ? ' ' : c));
        return line.toString().strip();
    }

    /** Returns one line of at most {@code longest} characters. */
    static String line(String text, int longest) {
        return cut(oneLine(text), longest);
    }

    /** Returns the text as quoted in messages. */
    static String shown(String text) {
        return line(text, 100);
    }

    /** Cuts the text to {@code longest} characters without splitting a surrogate pair. */
    static String cut(String text, int longest) {
        return text.length() <= longest ? text : TextCut.to(text, longest).stripTrailing();
    }
}
