package io.orth.executor.internal;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one {@link Duty} again and again on one named thread.
 *
 * <p>A wake-up that arrives during a pass is kept, so it always causes one more pass. Stopping never interrupts a pass that
 * ends within the grace period. A pass that throws is logged and followed by a rest.
 */
public final class PeriodicLoop {

    private static final Logger log = LoggerFactory.getLogger(PeriodicLoop.class);

    private final String name;
    private final Duration restAfterFailure;
    private final Duty duty;
    private final Semaphore wakeUps = new Semaphore(0);
    private final Thread thread;
    private volatile boolean finishing;
    private volatile boolean stopping;

    public PeriodicLoop(String name, Duration restAfterFailure, Duty duty) {
        this.name = name;
        this.restAfterFailure = restAfterFailure;
        this.duty = duty;
        this.thread = Threads.service("orth-" + name, this::runUntilStopped);
    }

    public void start() {
        thread.start();
    }

    public void wake() {
        wakeUps.release();
    }

    /** Like {@link #stop}, but lets the duty run until a pass has nothing more to do at once. */
    public boolean finish(Duration grace) throws InterruptedException {
        finishing = true;
        return end(grace);
    }

    /** Returns whether the loop ended within {@code grace}; if not, it has been interrupted. */
    public boolean stop(Duration grace) throws InterruptedException {
        stopping = true;
        return end(grace);
    }

    private boolean end(Duration grace) throws InterruptedException {
        wake();
        thread.join(Math.max(1, grace.toMillis()));
        if (!thread.isAlive()) {
            return true;
        }
        thread.interrupt();
        return false;
    }

    private void runUntilStopped() {
        try {
            while (!stopping) {
                boolean lastPass = finishing;
                Duration rest = runOnce();
                if (lastPass && !rest.isZero()) {
                    return;
                }
                rest(rest);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Duration runOnce() throws InterruptedException {
        try {
            return duty.run();
        } catch (InterruptedException e) {
            throw e;
        } catch (Throwable e) {
            log.atError().setCause(e).addKeyValue("duty", name).log("a pass failed and will be repeated");
            return restAfterFailure;
        }
    }

    private void rest(Duration duration) throws InterruptedException {
        if (wakeUps.tryAcquire(duration.toNanos(), TimeUnit.NANOSECONDS)) {
            wakeUps.drainPermits();
        }
    }
}
