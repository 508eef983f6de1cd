package io.orth.executor.internal.log;

/** Finds character boundaries in UTF-8 bytes. */
final class Utf8 {

    private static final int LONGEST = 4;

    private Utf8() {}

    /**
     * Returns the index of the first byte that is not a continuation byte. Skips at most as many bytes as can continue one
     * character, so malformed text is not skipped further.
     */
    static int firstCharacter(byte[] bytes, int length) {
        int start = 0;
        while (start < Math.min(length, LONGEST - 1) && continues(bytes[start])) {
            start++;
        }
        return start;
    }

    /** Returns the end of the last complete character; a truncated sequence at the end is excluded. */
    static int endOfLastCharacter(byte[] bytes, int start, int end) {
        int lead = end - 1;
        while (lead > start && end - lead < LONGEST && continues(bytes[lead])) {
            lead--;
        }
        return lead >= start && lead + lengthOf(bytes[lead]) > end ? lead : end;
    }

    private static boolean continues(byte b) {
        return (b & 0b1100_0000) == 0b1000_0000;
    }

    private static int lengthOf(byte lead) {
        if ((lead & 0b1110_0000) == 0b1100_0000) {
            return 2;
        }
        if ((lead & 0b1111_0000) == 0b1110_0000) {
            return 3;
        }
        return (lead & 0b1111_1000) == 0b1111_0000 ? 4 : 1;
    }
}
