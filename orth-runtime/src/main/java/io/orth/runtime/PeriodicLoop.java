package io.orth.runtime;

import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Runs one {@link Duty} repeatedly on one named thread.
 *
 * <p>A wake-up that arrives during a pass always causes one more pass, but never shortens the backoff after a failure. No exception of a
 * pass ends the loop. Stopping never interrupts a pass that ends within the grace period.
 */
public final class PeriodicLoop {

    private final String name;
    private final LoopTiming timing;
    private final Duty duty;
    private final LoopObserver observer;
    private final Clock clock;
    private final Semaphore wakeUps = new Semaphore(0);
    private final Semaphore stopSignal = new Semaphore(0);
    private final Thread thread;
    private volatile boolean finishing;
    private volatile boolean stopping;
    /** Accessed by the loop's thread only. */
    private int failuresInARow;

    public PeriodicLoop(String name, LoopTiming timing, Duty duty, LoopObserver observer, Clock clock) {
        this.name = name;
        this.timing = timing;
        this.duty = duty;
        this.observer = observer;
        this.clock = clock;
        this.thread = Threads.service(name, this::runUntilStopped);
    }

    public String name() {
        return name;
    }

    public void start() {
        thread.start();
    }

    public void wake() {
        wakeUps.release();
    }

    /** Like {@link #stop}, but first runs passes until one has no more immediate work. */
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
        stopSignal.release();
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
            boolean last = false;
            while (!last && !stopping) {
                boolean wasFinishing = finishing;
                Duration rest = runOnce();
                last = wasFinishing && rest.compareTo(Duration.ZERO) > 0;
                if (!last) {
                    rest(rest);
                }
            }
            duty.ended();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            observer.failed(name, failuresInARow + 1, e);
        }
    }

    /** Runs one pass on the caller's thread; returns the pause before the next one. */
    Duration runOnce() throws InterruptedException {
        try {
            Duty.Pass pass = duty.run();
            failuresInARow = 0;
            observer.passed(name, pass);
            return restAfter(pass);
        } catch (InterruptedException e) {
            throw e;
        } catch (Throwable e) {
            failuresInARow++;
            observer.failed(name, failuresInARow, e);
            return timing.restAfterFailure(failuresInARow);
        }
    }

    private Duration restAfter(Duty.Pass pass) {
        if (pass instanceof Duty.More) {
            return Duration.ZERO;
        }
        if (pass instanceof Duty.Rest rest) {
            return rest.duration();
        }
        if (pass instanceof Duty.NextAt next) {
            Duration untilThen = Duration.between(clock.instant(), next.instant());
            return untilThen.compareTo(timing.interval()) < 0 ? untilThen : timing.interval();
        }
        return timing.interval();
    }

    private void rest(Duration duration) throws InterruptedException {
        if (failuresInARow > 0) {
            restUndisturbed(duration);
        } else if (wakeUps.tryAcquire(duration.toNanos(), TimeUnit.NANOSECONDS)) {
            wakeUps.drainPermits();
        }
    }

    private void restUndisturbed(Duration duration) throws InterruptedException {
        if (stopSignal.tryAcquire(duration.toNanos(), TimeUnit.NANOSECONDS)) {
            stopSignal.release();
        }
    }
}
