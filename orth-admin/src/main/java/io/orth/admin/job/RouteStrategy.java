package io.orth.admin.job;

/** Strategy that chooses the executor of a run among the eligible ones. */
public enum RouteStrategy {
    /** The first by address, or in the order of the job's own addresses. */
    FIRST,
    /** The last in the same order. */
    LAST,
    /** Round robin. */
    ROUND,
    /** A random executor. */
    RANDOM,
    /** The same executor for each run of the job, as long as it is available. */
    CONSISTENT_HASH,
    /** The executor with the fewest runs of the job today. */
    LFU,
    /** The executor whose last run of the job is the oldest. */
    LRU,
    /** The first healthy executor. */
    FAILOVER,
    /** The first executor without a run of the job; the run waits a while for one. */
    BUSYOVER,
    /** All executors: one run for each, which knows its index and the total number. */
    SHARDING_BROADCAST
}
