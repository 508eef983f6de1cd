package io.orth.admin.api;

import io.orth.admin.kernel.OrthException;

/** Parsing of filter parameters of lists. */
final class Filters {

    private static final int LONGEST = 200;

    private Filters() {}

    /** Returns the stripped text; null if there is nothing to filter by. */
    static String text(String field, String text) {
        if (text == null || text.isBlank()) {
            return null;
        }
        if (text.length() > LONGEST || text.indexOf('\0') >= 0) {
            throw OrthException.invalid(field, "must have at most %d printable characters".formatted(LONGEST));
        }
        return text.strip();
    }

    /** Parses a flag, which is false if missing. */
    static boolean flag(String field, String text) {
        if (text == null || text.equals("false")) {
            return false;
        }
        if (!text.equals("true")) {
            throw OrthException.invalid(field, "must be true or false");
        }
        return true;
    }
}
