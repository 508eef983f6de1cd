package io.orth.admin.job;

import java.time.Instant;

/**
 * Some instants of a schedule in a row.
 *
 * @param last the last of them or, where there are more than were counted, the moment up to which they reach
 * @param fires how many; null where they cannot be counted
 * @param more whether there are more than were counted
 */
public record Stretch(Instant first, Instant last, Integer fires, boolean more) {

    public static Stretch of(Instant only) {
        return new Stretch(only, only, 1, false);
    }

    static Stretch uncounted(Instant first, Instant last) {
        return new Stretch(first, last, null, false);
    }

    Stretch with(Instant next) {
        return new Stretch(first, next, fires + 1, more);
    }

    Stretch andMoreUntil(Instant until) {
        return new Stretch(first, until, fires, true);
    }
}
