package io.orth.protocol;

/** Truncates long messages at a character boundary with a note; the whole text stays in the run's log file. */
public enum TextLimit {
    /** Limit for a result's message sent by an executor. */
    CALLBACK(50_000),
    /** Limit for a message stored by an admin. */
    STORED(15_000);

    private static final String CUT = "... [cut, %d characters in all]";

    private final int characters;

    TextLimit(int characters) {
        this.characters = characters;
    }

    public int characters() {
        return characters;
    }

    /** Returns {@code text}; if it exceeds the limit, its start and a note, which together stay within the limit. */
    public String cut(String text) {
        if (text == null || text.length() <= characters) {
            return text;
        }
        String note = CUT.formatted(text.length());
        int end = characters - note.length();
        if (Character.isHighSurrogate(text.charAt(end - 1))) {
            end--;
        }
        return text.substring(0, end) + note;
    }
}
