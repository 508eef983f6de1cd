package io.orth.executor;

/**
 * How a new run is handled while its job is busy: on the same executor or, with {@link BlockScope#CLUSTER}, on any executor of
 * the group.
 */
public enum BlockStrategy {
    /** The run waits in the job's queue. Runs execute one at a time, in order. */
    SERIAL,
    /** The run is rejected. */
    DISCARD,
    /** Running and waiting runs of the job are killed, then the new run starts. */
    COVER,
    /** Up to {@link OrthJob#concurrency()} runs execute concurrently; further runs wait. */
    CONCURRENT
}
