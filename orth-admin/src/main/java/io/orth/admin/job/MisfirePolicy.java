package io.orth.admin.job;

/** Handling of fires that are later than the misfire threshold. */
public enum MisfirePolicy {
    /** Misfires are skipped. */
    DO_NOTHING,
    /** Misfires are coalesced into one run. */
    FIRE_ONCE,
    /** Each misfire gets its run. */
    FIRE_ALL
}
