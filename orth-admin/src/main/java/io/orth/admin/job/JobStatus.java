package io.orth.admin.job;

import io.orth.admin.kernel.Rescue;
import io.orth.admin.kernel.Status;
import java.util.EnumSet;
import java.util.Set;

/** Status of a job. The table below is the complete state machine. */
public enum JobStatus implements Status<JobStatus> {
    /** The job fires according to its schedule. */
    @Rescue(by = "schedule-scanner", when = "it is due", after = "its next fire time")
    @Rescue(
            by = "awaited-run-rescuer",
            when = "its fixed delay waits for a run that is finished or deleted",
            after = "10 s")
    ENABLED,
    /** The job fires only on request. */
    @Rescue(by = Rescue.PERSON, when = "it was paused", after = "a person's decision")
    PAUSED,
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
