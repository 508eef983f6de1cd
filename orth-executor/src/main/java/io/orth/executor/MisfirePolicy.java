package io.orth.executor;

/** What becomes of fire times that were missed while nothing could be fired. */
public enum MisfirePolicy {
    /** They are skipped. */
    DO_NOTHING,
    /** One run stands for all of them. */
    FIRE_ONCE,
    /** Each gets its run. */
    FIRE_ALL
}
