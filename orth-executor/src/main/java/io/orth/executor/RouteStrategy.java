package io.orth.executor;

/** How the executor of a run is chosen among those of the group. */
public enum RouteStrategy {
    /** The first by address. */
    FIRST,
    /** The last by address. */
    LAST,
    /** In turn. */
    ROUND,
    /** Any. */
    RANDOM,
    /** The same for each run of the job, as long as that one is there. */
    CONSISTENT_HASH,
    /** The one that got the fewest runs of the job today. */
    LFU,
    /** The one whose last run of the job is the longest ago. */
    LRU,
    /** The first that is well. */
    FAILOVER,
    /** The first that has no run of the job; the run waits a while for one. */
    BUSYOVER,
    /** All: one run for each, which knows its index and how many there are. */
    SHARDING_BROADCAST
}
