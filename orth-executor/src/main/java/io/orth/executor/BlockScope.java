package io.orth.executor;

/** Where a run makes its job busy for the {@link BlockStrategy}. */
public enum BlockScope {
    /** On its own executor only. */
    EXECUTOR,
    /** On all executors of the group; no effect with {@link BlockStrategy#CONCURRENT}. */
    CLUSTER
}
