package io.orth.admin.systemlog;

import io.orth.admin.kernel.TextCut;

/** Conversion of any text to a single line that every database and terminal accepts. */
final class LineText {

    private static final char UNFIT = '\uFFFD';

    private LineText() {}

    /** Returns at most {@code longest} characters, including the truncation mark. */
    static String clean(String text, int longest) {
        StringBuilder line = new StringBuilder();
        TextCut.marked(text, longest).codePoints().forEach(each -> line.appendCodePoint(fit(each)));
        return line.toString();
    }

    private static int fit(int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL -> Character.isWhitespace(character) ? ' ' : UNFIT;
            case Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> ' ';
            case Character.SURROGATE -> UNFIT;
            default -> turnsTextRound(character) ? UNFIT : character;
        };
    }

    /** Returns whether the character changes the direction of text, which can disguise its content. */
    private static boolean turnsTextRound(int character) {
        return (character >= 0x202A && character <= 0x202E) || (character >= 0x2066 && character <= 0x2069);
    }
}
