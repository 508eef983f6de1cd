package io.orth.executor.internal;

/** Makes text safe for UTF-8, JSON and databases: NUL and unpaired surrogates become the replacement character. */
public final class CleanText {

    private static final char REPLACEMENT = '\uFFFD';

    private CleanText() {}

    public static String of(String text) {
        StringBuilder cleaned = null;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean pair = Character.isHighSurrogate(c)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1));
            if (pair) {
                i++;
            } else if (c == 0 || Character.isSurrogate(c)) {
                cleaned = cleaned == null ? new StringBuilder(text) : cleaned;
                cleaned.setCharAt(i, REPLACEMENT);
            }
        }
        return cleaned == null ? text : cleaned.toString();
    }
}
