package io.orth.admin.run;

/** Origin of a run. */
public enum TriggerType {
    /** The job was due. */
    SCHEDULE,
    /** The job was due and its fire was missed. */
    MISFIRE,
    /** A user of the console. */
    MANUAL,
    /** A program. */
    API,
    /** A requested backfill of a past fire time. */
    BACKFILL,
    /** A run failed, and its job has attempts left. */
    RETRY,
    /** A run of another job succeeded. */
    CHILD
}
