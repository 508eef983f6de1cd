package io.orth.executor;

/** What an executor does with a run of a job that is busy there. */
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
