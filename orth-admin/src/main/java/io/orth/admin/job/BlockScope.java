package io.orth.admin.job;

/** Where a job counts as busy for its block strategy. */
public enum BlockScope {
    /** On each executor by itself. */
    EXECUTOR,
    /** On all executors of the group together: the admins decide in the database. */
    CLUSTER
}
