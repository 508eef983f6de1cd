package io.orth.admin.job;

/** Reason why fires of a job were skipped. */
public enum DecisionReason {
    /** The fires were later than the misfire threshold, and the job's misfire policy skips such fires. */
    MISSED,
    /** The fires were later than the misfire threshold and were coalesced into one run. */
    MERGED,
    /** The fires were missed, and the maximum number of fires to catch up was reached. */
    CATCH_UP_CAP,
    /** The job was paused. */
    PAUSED,
    /** The fire times lie outside the job's window. */
    OUTSIDE_WINDOW,
    /** The fires were due but not yet processed when the schedule of the job changed. */
    RESCHEDULED,
    /** The stored schedule is invalid. */
    UNREADABLE,
    /** A parent's run succeeded while this child job was paused. */
    PAUSED_CHILD,
    /** A run of the job succeeded, but the child job to fire was deleted. */
    DELETED_CHILD,
    /** The job was busy at the fire times, and its block strategy is DISCARD. */
    DISCARDED,
    /** No executor was available for the runs in time. */
    NO_EXECUTOR
}
