package io.orth.admin.api;

import io.orth.admin.kernel.OrthException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;

/** Instants in requests: ISO 8601 with an offset. */
final class Instants {

    private static final int EARLIEST_YEAR = 1970;
    private static final int LATEST_YEAR = 9999;

    private Instants() {}

    /** Null where none is given. */
    static Instant parseOptional(String field, String text) {
        return text == null || text.isBlank() ? null : parse(field, text);
    }

    static Instant parse(String field, String text) {
        if (text == null || text.isBlank()) {
            throw OrthException.invalid(field, "is missing; write it like 2026-01-31T12:00:00Z");
        }
        try {
            OffsetDateTime time = OffsetDateTime.parse(text.strip());
            if (time.getYear() >= EARLIEST_YEAR && time.getYear() <= LATEST_YEAR) {
                return time.toInstant();
            }
        } catch (DateTimeException e) {
            // Said below, as for one that no database keeps.
        }
        throw OrthException.invalid(field, "is not an instant such as 2026-01-31T12:00:00Z");
    }
}
