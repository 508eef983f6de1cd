package io.orth.executor.internal.job;

import io.orth.runtime.Threads;
import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor.DiscardPolicy;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One thread for the deadlines of all runs. A cancelled timer is removed immediately and uses no memory, however far ahead it was
 * set.
 */
final class WatchThread implements Watch {

    private static final Logger log = LoggerFactory.getLogger(WatchThread.class);

    private final ScheduledThreadPoolExecutor timers;

    WatchThread() {
        timers = new ScheduledThreadPoolExecutor(1, Threads.services("run-watch", true), new DiscardPolicy());
        timers.setRemoveOnCancelPolicy(true);
    }

    @Override
    public Timer after(Duration delay, Runnable action) {
        ScheduledFuture<?> timer = timers.schedule(() -> guarded(action), delay.toNanos(), TimeUnit.NANOSECONDS);
        return () -> timer.cancel(false);
    }

    @Override
    public void close() {
        timers.shutdownNow();
    }

    private static void guarded(Runnable action) {
        try {
            action.run();
        } catch (Throwable problem) {
            log.error("a run could not be ended in time", problem);
        }
    }
}
