package io.orth.admin.kernel;

import java.time.Duration;

/**
 * A status change made in the current transaction.
 *
 * @param from null if the row was created
 */
public record StateChange(EntityKind entity, MovedRow row, String from, String to, String cause) {

    /** Returns the milliseconds the row spent in the status it left; null if it was created. */
    public Long millisInFrom() {
        return row.since() == null
                ? null
                : Duration.between(row.since(), row.at()).toMillis();
    }
}
