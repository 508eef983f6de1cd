package io.orth.admin.api;

import io.orth.admin.kernel.OrthException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;

/** Parsing of instants in requests: ISO 8601 with an offset. */
final class Instants {

    private static final int EARLIEST_YEAR = 1970;
    private static final int LATEST_YEAR = 9999;

    private Instants() {}

    /** Returns null if {@code text} is missing. */
    static Instant parseOptional(String field, String text) {
        return text == null || text.isBlank() ? null : parse(field, text);
    }

    /** Returns null if {@code text} is missing. Accepts any year, for instants that are only compared. */
    static Instant parseOptionalOfAnyYear(String field, String text) {
        return text == null || text.isBlank() ? null : read(field, text).toInstant();
    }

    static Instant parse(String field, String text) {
        if (text == null || text.isBlank()) {
            throw OrthException.invalid(field, "is missing; write it like 2026-01-31T12:00:00Z");
        }
        OffsetDateTime time = read(field, text);
        if (time.getYear() < EARLIEST_YEAR || time.getYear() > LATEST_YEAR) {
            throw notAnInstant(field);
        }
        return time.toInstant();
    }

    private static OffsetDateTime read(String field, String text) {
        try {
            return OffsetDateTime.parse(text.strip());
        } catch (DateTimeException e) {
            throw notAnInstant(field);
        }
    }

    private static OrthException notAnInstant(String field) {
        return OrthException.invalid(field, "is not an instant such as 2026-01-31T12:00:00Z");
    }
}
