package io.orth.executor.internal.job;

import java.time.Duration;

/** Does things later. They are short: all runs of the executor share one watch. */
interface Watch extends AutoCloseable {

    Timer after(Duration delay, Runnable action);

    /** Nothing is done any more. */
    @Override
    void close();

    /** Something that is going to be done. */
    @FunctionalInterface
    interface Timer {

        /** Forgets it, unless it has begun. */
        void cancel();
    }
}
