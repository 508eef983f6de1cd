package io.orth.admin.pipeline;

/** What the reconciler puts right that should not have gone wrong. */
public enum Repair {
    /** A child was proposed and its stage made, but not the child. */
    MISSING_CHILD,
    /** A task waits for a message that there is not. */
    ORPHAN_MESSAGE,
    /** A counter did not say how many tasks are over. */
    LOST_COUNTER
}
