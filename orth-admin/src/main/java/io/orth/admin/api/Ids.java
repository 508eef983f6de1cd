package io.orth.admin.api;

import io.orth.admin.kernel.OrthException;
import java.util.List;

/** Parsing of ids in requests: decimal text, because some JSON readers lose digits of numbers. */
final class Ids {

    private Ids() {}

    static int parseInt(String field, String text) {
        long id = parseLong(field, text);
        if (id > Integer.MAX_VALUE) {
            throw notAnId(field, text);
        }
        return (int) id;
    }

    static long parseLong(String field, String text) {
        if (text == null) {
            throw OrthException.invalid(field, "must be an id");
        }
        try {
            long id = Long.parseLong(text.strip());
            if (id < 0) {
                throw notAnId(field, text);
            }
            return id;
        } catch (NumberFormatException e) {
            throw notAnId(field, text);
        }
    }

    static Integer parseOptionalInt(String field, String text) {
        return text == null || text.isBlank() ? null : parseInt(field, text);
    }

    static Long parseOptionalLong(String field, String text) {
        return text == null || text.isBlank() ? null : parseLong(field, text);
    }

    /** Parses ids and removes duplicates. */
    static List<Long> parseLongs(String field, List<String> texts) {
        if (texts.contains(null)) {
            throw OrthException.invalid(field, "must not contain null");
        }
        return texts.stream().map(text -> parseLong(field, text)).distinct().toList();
    }

    private static OrthException notAnId(String field, String text) {
        String shown = text.length() > 40 ? text.substring(0, 40) + "…" : text;
        return OrthException.invalid(field, "is not an id: " + shown);
    }
}
