package io.orth.protocol;

/** Cuts long messages at a character boundary and says so; the whole text stays in the run's log file. */
public enum TextLimit {
    /** What an executor sends of a result's message. */
    CALLBACK(50_000),
    /** What an admin stores of a message. */
    STORED(15_000);

    private static final String CUT = "... [cut, %d characters in all]";

    private final int characters;

    TextLimit(int characters) {
        this.characters = characters;
    }

    public int characters() {
        return characters;
    }

    /** Returns {@code text}, or its beginning and a note where it is longer than the limit, note included. */
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
