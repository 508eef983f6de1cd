package io.orth.admin.job;

/** Why planned fires of a job did not become runs. */
public enum DecisionReason {
    /** They were missed by more than the threshold, and the job's misfire policy is to skip such ones. */
    MISSED,
    /** They were missed by more than the threshold, and one run stood for all of them. */
    MERGED,
    /** They were missed, and as many as may be caught up with had been. */
    CATCH_UP_CAP,
    /** The job was paused. */
    PAUSED,
    /** They lie before the start or after the end of the job's window. */
    OUTSIDE_WINDOW,
    /** They were due and not yet fired when the job got another schedule. */
    RESCHEDULED,
    /** The stored schedule could not be followed. */
    UNREADABLE,
    /** A run whose success fires the job succeeded while the job was paused. */
    PAUSED_CHILD,
    /** A run of the job succeeded, and a job it was to fire had been deleted. */
    DELETED_CHILD,
    /** The job was busy when they were due, and its block strategy is DISCARD. */
    DISCARDED,
    /** No executor was available to their runs in time. */
    NO_EXECUTOR
}
