package io.orth.executor;

/** What becomes of a run of a job that is busy, on its executor or, with {@link BlockScope#CLUSTER}, on any. */
public enum BlockStrategy {
    /** It waits in the job's queue; one at a time, in order. */
    SERIAL,
    /** It is refused. */
    DISCARD,
    /** What goes on and what waits is ended, then it runs. */
    COVER,
    /** Up to {@link OrthJob#concurrency()} run at the same time; the others wait. */
    CONCURRENT
}
