package io.orth.admin.job;

/** What becomes of instants that were missed by more than the misfire threshold. */
public enum MisfirePolicy {
    /** They are skipped. */
    DO_NOTHING,
    /** One run stands for all of them. */
    FIRE_ONCE,
    /** Each gets its run. */
    FIRE_ALL
}
