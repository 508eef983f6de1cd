package io.orth.admin.job;

/** Scope in which a job counts as busy for its block strategy. */
public enum BlockScope {
    /** Each executor separately. */
    EXECUTOR,
    /** All executors of the group together; the admins decide in the database. */
    CLUSTER
}
