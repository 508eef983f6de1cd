package io.orth.sample.hydrate;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Lets requests begin at an even pace, however many threads make them. */
final class RateLimit {

    private final long interval;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition never = lock.newCondition();

    /** When the next one may begin; guarded by lock. */
    private long next = System.nanoTime();

    /** @param perMinute 0 for as many as come */
    RateLimit(int perMinute) {
        this.interval = perMinute == 0 ? 0 : TimeUnit.MINUTES.toNanos(1) / perMinute;
    }

    /** Waits for the caller's turn. */
    void await() throws InterruptedException {
        pause(Duration.ofNanos(turn()));
    }

    private long turn() {
        lock.lock();
        try {
            long now = System.nanoTime();
            long mine = Math.max(now, next);
            next = mine + interval;
            return mine - now;
        } finally {
            lock.unlock();
        }
    }

    /** A wait that an interrupt ends at once. */
    void pause(Duration time) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = time.toNanos();
            while (left > 0) {
                left = never.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }
}
