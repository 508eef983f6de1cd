package io.orth.executor;

/** How fire times that were missed are handled. */
public enum MisfirePolicy {
    /** Skips them. */
    DO_NOTHING,
    /** Coalesces them into one run. */
    FIRE_ONCE,
    /** Creates a run for each of them. */
    FIRE_ALL
}
