package io.orth.admin.job;

import io.orth.admin.kernel.Rescue;
import io.orth.admin.kernel.Status;
import java.util.EnumSet;
import java.util.Set;

/** Where a job stands; the table below is the whole state machine. */
public enum JobStatus implements Status<JobStatus> {
    /** It fires when its schedule says so. */
    @Rescue(by = "schedule-scanner", when = "it is due", after = "its next fire time")
    @Rescue(
            by = "awaited-run-rescuer",
            when = "its fixed delay waits for a run that is over or deleted",
            after = "10 s")
    ENABLED,
    /** It fires only when somebody says so. */
    @Rescue(by = Rescue.PERSON, when = "it was paused", after = "the decision")
    PAUSED,
    /** It is gone. */
    DELETED;

    @Override
    public boolean isInitial() {
        return this != DELETED;
    }

    @Override
    public Set<JobStatus> next() {
        return switch (this) {
            case ENABLED -> EnumSet.of(PAUSED, DELETED);
            case PAUSED -> EnumSet.of(ENABLED, DELETED);
            case DELETED -> EnumSet.noneOf(JobStatus.class);
        };
    }

    static JobStatus of(boolean enabled) {
        return enabled ? ENABLED : PAUSED;
    }
}
