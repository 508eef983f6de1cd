package io.orth.admin.alarm;

import io.orth.admin.kernel.Rescue;
import io.orth.admin.kernel.Status;
import java.util.Set;

/** Where an alarm stands. */
public enum AlarmStatus implements Status<AlarmStatus> {
    /** Waits for its time, is being sent, or is to be tried again. */
    @Rescue(by = "alarm-sender", when = "the admin that was sending it stopped", after = "the lease of that admin")
    PENDING,
    SENT,
    /** Every try has failed. */
    FAILED;

    @Override
    public Set<AlarmStatus> next() {
        return this == PENDING ? Set.of(SENT, FAILED) : Set.of();
    }
}
