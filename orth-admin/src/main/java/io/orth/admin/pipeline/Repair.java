package io.orth.admin.pipeline;

/** Inconsistency that the reconciler repairs. */
public enum Repair {
    /** A child was proposed and its stage fanned out, but the child's task does not exist. */
    MISSING_CHILD,
    /** A task is pending without a message. */
    ORPHAN_MESSAGE,
    /** A counter did not match the number of finished tasks. */
    LOST_COUNTER
}
