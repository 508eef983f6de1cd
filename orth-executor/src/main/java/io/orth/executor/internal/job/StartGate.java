package io.orth.executor.internal.job;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * A gate that lanes pass before each run. While it is closed, nothing new starts and running work continues. Initially open.
 *
 * <p>The gate can be opened for a limited time. Each passing thread checks the clock, so a process that was suspended for longer
 * starts nothing when it wakes up.
 */
public final class StartGate {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition opened = lock.newCondition();
    private final LongSupplier nanos;

    // Guarded by lock.
    private boolean open = true;
    private boolean limited;
    private long untilNanos;

    public StartGate() {
        this(System::nanoTime);
    }

    /** @param nanos a monotonic clock */
    public StartGate(LongSupplier nanos) {
        this.nanos = nanos;
    }

    public void open() {
        lock.lock();
        try {
            open = true;
            limited = false;
            opened.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Opens the gate until the clock reaches {@code deadlineNanos}. */
    public void openUntil(long deadlineNanos) {
        lock.lock();
        try {
            open = true;
            limited = true;
            untilNanos = deadlineNanos;
            opened.signalAll();
        } finally {
            lock.unlock();
        }
    }

    public void close() {
        lock.lock();
        try {
            open = false;
        } finally {
            lock.unlock();
        }
    }

    public boolean isOpen() {
        lock.lock();
        try {
            return letsPass();
        } finally {
            lock.unlock();
        }
    }

    public void pass() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!letsPass()) {
                opened.await();
            }
        } finally {
            lock.unlock();
        }
    }

    private boolean letsPass() {
        return open && !(limited && nanos.getAsLong() - untilNanos >= 0);
    }
}
