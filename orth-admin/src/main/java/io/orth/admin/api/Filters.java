package io.orth.admin.api;

import io.orth.admin.kernel.OrthException;

/** Texts that lists are filtered by. */
final class Filters {

    private static final int LONGEST = 200;

    private Filters() {}

    /** Null where there is nothing to filter by. */
    static String text(String field, String text) {
        if (text == null || text.isBlank()) {
            return null;
        }
        if (text.length() > LONGEST || text.indexOf('\0') >= 0) {
            throw OrthException.invalid(field, "must have at most %d printable characters".formatted(LONGEST));
        }
        return text.strip();
    }

    /** Not set unless it is said to be. */
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
