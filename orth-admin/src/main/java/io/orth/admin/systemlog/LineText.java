package io.orth.admin.systemlog;

import io.orth.admin.kernel.TextCut;

/** Turns any text into one line that every database and terminal accepts. */
final class LineText {

    private static final char UNFIT = '\uFFFD';

    private LineText() {}

    /** At most {@code longest} characters, the mark of a cut among them. */
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

    /** Marks that change the direction of text, so that it reads as something else. */
    private static boolean turnsTextRound(int character) {
        return (character >= 0x202A && character <= 0x202E) || (character >= 0x2066 && character <= 0x2069);
    }
}
