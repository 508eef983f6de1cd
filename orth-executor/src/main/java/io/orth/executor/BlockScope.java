package io.orth.executor;

/** Where a job counts as busy for its {@link BlockStrategy}. */
public enum BlockScope {
    /** On each executor by itself. */
    EXECUTOR,
    /** On all executors of the group together; without effect for {@link BlockStrategy#CONCURRENT}. */
    CLUSTER
}
