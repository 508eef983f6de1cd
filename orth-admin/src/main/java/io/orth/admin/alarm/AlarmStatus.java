package io.orth.admin.alarm;

import io.orth.admin.kernel.Rescue;
import io.orth.admin.kernel.Status;
import java.util.Set;

/** Status of an alarm. */
public enum AlarmStatus implements Status<AlarmStatus> {
    /** Not due yet, being sent, or waiting for a further attempt. */
    @Rescue(by = "alarm-sender", when = "the admin that was sending it stopped", after = "the lease of that admin")
    PENDING,
    SENT,
    /** The last attempt failed. */
    FAILED;

    @Override
    public Set<AlarmStatus> next() {
        return this == PENDING ? Set.of(SENT, FAILED) : Set.of();
    }
}
