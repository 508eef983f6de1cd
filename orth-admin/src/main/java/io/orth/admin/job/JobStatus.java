package io.orth.admin.job;

import io.orth.admin.kernel.Status;
import java.util.EnumSet;
import java.util.Set;

/** Where a job stands; the table below is the whole state machine. */
public enum JobStatus implements Status<JobStatus> {
    /** It fires when its schedule says so. */
    ENABLED,
    /** It fires only when somebody says so. */
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
