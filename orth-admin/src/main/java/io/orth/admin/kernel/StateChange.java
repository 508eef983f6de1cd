package io.orth.admin.kernel;

import java.time.Duration;

/**
 * A status change that has happened in the current transaction.
 *
 * @param from null where the row was created
 */
public record StateChange(EntityKind entity, MovedRow row, String from, String to, String cause) {

    /** How long the row was in the state it left; null where it was created. */
    public Long millisInFrom() {
        return row.since() == null
                ? null
                : Duration.between(row.since(), row.at()).toMillis();
    }
}
