package io.orth.cli;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Makes foreign texts safe for a terminal: removes characters that would move the cursor and limits the length. */
final class Plain {

    private static final int LONGEST_LINE = 2_000;

    private Plain() {}

    static String line(String text) {
        return cut(text, LONGEST_LINE);
    }

    /** Returns the text of a table cell; a dash if there is no value. */
    static String cell(Object value, int longest) {
        if (value == null || value.toString().isBlank()) {
            return "-";
        }
        return cut(
                value instanceof Instant at ? at.truncatedTo(ChronoUnit.SECONDS).toString() : value.toString(),
                longest);
    }

    private static String cut(String text, int longest) {
        String line = text.strip()
                .codePoints()
                .limit(longest + 1L)
                .map(c -> isSafe(c) ? c : ' ')
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
        return line.codePointCount(0, line.length()) <= longest
                ? line
                : line.substring(0, line.offsetByCodePoints(0, longest - 1)) + "…";
    }

    /** Control characters move the cursor; format characters, such as those for text direction, alter the text that follows. */
    private static boolean isSafe(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE -> false;
            default -> true;
        };
    }
}
