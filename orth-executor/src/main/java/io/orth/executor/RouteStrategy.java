package io.orth.executor;

/** How the executor of a run is chosen from the executors of the group. */
public enum RouteStrategy {
    /** The first executor, ordered by address. */
    FIRST,
    /** The last executor, ordered by address. */
    LAST,
    /** The executors in turn. */
    ROUND,
    /** A random executor. */
    RANDOM,
    /** The same executor for each run of the job, as long as it is online. */
    CONSISTENT_HASH,
    /** The executor that received the fewest runs of the job today. */
    LFU,
    /** The executor whose last run of the job is the longest ago. */
    LRU,
    /** The first healthy executor. */
    FAILOVER,
    /** The first executor without a run of the job. If all are busy, the run waits for a limited time. */
    BUSYOVER,
    /** All executors: one run for each, which receives its index and the total number. */
    SHARDING_BROADCAST
}
