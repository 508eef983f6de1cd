package io.orth.executor.internal.job;

import java.time.Duration;

/** Runs short actions later. All runs of the executor share one instance, so actions must not block. */
interface Watch extends AutoCloseable {

    Timer after(Duration delay, Runnable action);

    /** Cancels everything. */
    @Override
    void close();

    /** A scheduled action. */
    @FunctionalInterface
    interface Timer {

        /** Cancels the action, unless it has started. */
        void cancel();
    }
}
