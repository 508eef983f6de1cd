package io.orth.admin.job;

import java.time.Instant;

/**
 * A range of consecutive fire times of a schedule.
 *
 * @param last the last fire time or, if there are more than were counted, the end of the range
 * @param fires the number of fire times; null if it cannot be counted
 * @param more whether there are more fire times than were counted
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
