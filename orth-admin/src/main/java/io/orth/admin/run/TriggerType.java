package io.orth.admin.run;

/** What made a run. */
public enum TriggerType {
    /** Its job was due. */
    SCHEDULE,
    /** Its job had been due and was missed. */
    MISFIRE,
    /** Somebody in the console. */
    MANUAL,
    /** A program. */
    API,
    /** Somebody asked for a run of a planned instant of the past. */
    BACKFILL,
    /** A run failed, and its job says to try again. */
    RETRY,
    /** A run of another job succeeded. */
    CHILD
}
