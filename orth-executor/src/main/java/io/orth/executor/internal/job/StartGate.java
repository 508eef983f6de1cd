package io.orth.executor.internal.job;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Lanes pass here before each run. While it is closed nothing new starts; what runs goes on. It begins open. */
public final class StartGate {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition opened = lock.newCondition();

    // Guarded by lock.
    private boolean open = true;

    public void open() {
        lock.lock();
        try {
            open = true;
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
            return open;
        } finally {
            lock.unlock();
        }
    }

    public void pass() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!open) {
                opened.await();
            }
        } finally {
            lock.unlock();
        }
    }
}
