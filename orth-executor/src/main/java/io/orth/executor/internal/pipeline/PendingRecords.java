package io.orth.executor.internal.pipeline;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Records that wait to be sent, in order. Rejected records wait separately until their retry is due, so that the others can pass
 * them. Thread-safe; one thread takes batches.
 */
final class PendingRecords<I, A> {

    private static final int MAX_BATCH_SIZE = 500;

    /** A larger record is sent alone. */
    private static final int MAX_BATCH_BYTES = 1_000_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // Guarded by lock.
    private final Deque<PendingRecord<I, A>> ready = new ArrayDeque<>();
    private final List<PendingRecord<I, A>> rejected = new ArrayList<>();
    private long restUntil = System.nanoTime();
    private boolean closed;

    /** Adds a record. Returns false if this is closed. */
    boolean add(PendingRecord<I, A> pending) {
        lock.lock();
        try {
            if (!closed) {
                ready.add(pending);
                changed.signalAll();
            }
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    /** Waits for records to send. An empty batch means that this is closed and no record is left. */
    List<PendingRecord<I, A>> take() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            for (long wait = nanosUntilTaking(); wait > 0; wait = nanosUntilTaking()) {
                changed.awaitNanos(wait);
            }
            return nextBatch();
        } finally {
            lock.unlock();
        }
    }

    private long nanosUntilTaking() {
        ready.removeIf(PendingRecord::isFinished);
        rejected.removeIf(PendingRecord::isFinished);
        moveDueRetries();
        if (!ready.isEmpty()) {
            return restUntil - System.nanoTime();
        }
        return rejected.stream().mapToLong(PendingRecord::nanosUntilRetry).min().orElse(closed ? 0 : Long.MAX_VALUE);
    }

    private void moveDueRetries() {
        List<PendingRecord<I, A>> due = rejected.stream()
                .filter(pending -> pending.nanosUntilRetry() <= 0)
                .sorted(Comparator.comparingLong(PendingRecord::nanosUntilRetry))
                .toList();
        rejected.removeAll(due);
        ready.addAll(due);
    }

    /** A retry does not share a batch with other records; they would be rejected with it. */
    private List<PendingRecord<I, A>> nextBatch() {
        List<PendingRecord<I, A>> batch = new ArrayList<>();
        int bytes = 0;
        while (!ready.isEmpty() && batch.size() < MAX_BATCH_SIZE) {
            PendingRecord<I, A> next = ready.element();
            bytes += next.bytes();
            boolean sameKind =
                    batch.isEmpty() || next.isRejected() == batch.get(0).isRejected();
            boolean fits = batch.isEmpty() || bytes <= MAX_BATCH_BYTES;
            if (!fits || !sameKind) {
                break;
            }
            batch.add(ready.remove());
        }
        return batch;
    }

    /** Takes back the unfinished records of a batch. Rejected ones wait separately; the others are first in line after the delay. */
    void putBack(List<PendingRecord<I, A>> batch, Duration rest) {
        lock.lock();
        try {
            for (int i = batch.size() - 1; i >= 0; i--) {
                PendingRecord<I, A> pending = batch.get(i);
                if (pending.isRejected()) {
                    rejected.add(pending);
                } else {
                    ready.addFirst(pending);
                }
            }
            restUntil = System.nanoTime() + rest.toNanos();
        } finally {
            lock.unlock();
        }
    }

    /** Rejects further records. */
    void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    List<PendingRecord<I, A>> removeAll() {
        lock.lock();
        try {
            List<PendingRecord<I, A>> left = new ArrayList<>(ready);
            left.addAll(rejected);
            ready.clear();
            rejected.clear();
            return left;
        } finally {
            lock.unlock();
        }
    }
}
