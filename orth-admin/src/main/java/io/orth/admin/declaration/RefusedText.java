package io.orth.admin.declaration;

import io.orth.protocol.DeclaredJobs.Refused;

/** Sanitizes rejection texts, which quote executors, so that they can be stored, sent and shown. */
final class RefusedText {

    private static final int LONGEST_NAME = 200;
    private static final int LONGEST_REASON = 500;
    private static final int REPLACEMENT = '?';

    private RefusedText() {}

    static Refused of(String name, String why) {
        return new Refused(clean(name, LONGEST_NAME), clean(why, LONGEST_REASON));
    }

    static boolean canBeKept(String name) {
        return name != null && !name.isBlank() && clean(name, LONGEST_NAME).equals(name);
    }

    private static String clean(String text, int longest) {
        if (text == null) {
            return null;
        }
        return text.codePoints()
                .limit(longest)
                .map(c -> Character.isISOControl(c) || (c >= 0xD800 && c <= 0xDFFF) ? REPLACEMENT : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
