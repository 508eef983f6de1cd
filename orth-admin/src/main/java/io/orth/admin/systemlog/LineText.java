package io.orth.admin.systemlog;

/** Makes any text fit for one line that every database and terminal takes. */
final class LineText {

    private static final char CUT = '…';
    private static final char UNFIT = '\uFFFD';

    private LineText() {}

    /** At most {@code longest} characters, the mark of a cut among them. */
    static String clean(String text, int longest) {
        boolean cut = text.length() > longest;
        int end = cut ? longest - 1 : text.length();
        if (cut && Character.isHighSurrogate(text.charAt(end - 1))) {
            end--;
        }
        StringBuilder line = new StringBuilder(end + 1);
        text.substring(0, end).codePoints().forEach(each -> line.appendCodePoint(fit(each)));
        return cut ? line.append(CUT).toString() : line.toString();
    }

    private static int fit(int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL -> Character.isWhitespace(character) ? ' ' : UNFIT;
            case Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> ' ';
            case Character.SURROGATE -> UNFIT;
            default -> turnsTextRound(character) ? UNFIT : character;
        };
    }

    /** Text that could be made to read as something else. */
    private static boolean turnsTextRound(int character) {
        return (character >= 0x202A && character <= 0x202E) || (character >= 0x2066 && character <= 0x2069);
    }
}
