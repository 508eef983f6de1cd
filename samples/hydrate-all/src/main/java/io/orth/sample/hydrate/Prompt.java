package io.orth.sample.hydrate;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * What is to be written.
 *
 * @param kind {@code course}, {@code chapter} or {@code topic}
 * @param items how many titles are wanted, one a line; 0 where a text is
 */
record Prompt(String kind, String id, String title, String language, int items) {

    /** Changes when what is asked for changes, so that what was written before is written again. */
    private static final String TEMPLATE = "1";

    /** In words. */
    String text() {
        return items > 0
                ? "List %d titles, one per line and nothing else, for the parts of the %s '%s'. Write in the language '%s'."
                        .formatted(items, kind, title, language)
                : "Explain the %s '%s' to a student in about 200 words. Write in the language '%s'."
                        .formatted(kind, title, language);
    }

    /** Tells whether something was written for the same. */
    String hash() {
        try {
            String all = String.join("\n", TEMPLATE, kind, id, title, language, Integer.toString(items));
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(all.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
