package io.orth.executor.internal.job;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What waits for one lane. It can be closed only while it is empty, and once closed it takes nothing, so no trigger can fall
 * between the lane's last look and its end.
 */
final class LaneQueue {

    enum Offer {
        TAKEN,
        FULL,
        CLOSED
    }

    private final int capacity;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // Guarded by lock.
    private final Deque<Work> waiting = new ArrayDeque<>();
    private boolean draining;
    private boolean closed;

    LaneQueue(int capacity) {
        this.capacity = capacity;
    }

    Offer offer(Work work) {
        lock.lock();
        try {
            if (closed) {
                return Offer.CLOSED;
            }
            if (waiting.size() >= capacity) {
                return Offer.FULL;
            }
            waiting.add(work);
            changed.signalAll();
            return Offer.TAKEN;
        } finally {
            lock.unlock();
        }
    }

    /** The next work; null after {@code patience}, or at once when draining and nothing is left. */
    Work poll(Duration patience) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = patience.toNanos();
            while (waiting.isEmpty() && !draining && left > 0) {
                left = changed.awaitNanos(left);
            }
            return waiting.poll();
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether it is closed now; it stays open while something waits. */
    boolean closeIfEmpty() {
        lock.lock();
        try {
            closed = closed || waiting.isEmpty();
            return closed;
        } finally {
            lock.unlock();
        }
    }

    /** From now on {@link #poll} does not wait. */
    void drain() {
        lock.lock();
        try {
            draining = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    boolean isDraining() {
        lock.lock();
        try {
            return draining;
        } finally {
            lock.unlock();
        }
    }

    /** Takes everything out and closes. */
    List<Work> closeAndEmpty() {
        lock.lock();
        try {
            List<Work> rest = new ArrayList<>(waiting);
            waiting.clear();
            closed = true;
            draining = true;
            changed.signalAll();
            return rest;
        } finally {
            lock.unlock();
        }
    }
}
