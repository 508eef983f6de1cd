package io.orth.executor.internal.pipeline;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** What waits for a courier: in order, but for what was refused, which waits its turn aside. */
final class ParcelBox<I, A> {

    /** One thing that is on its way. What changes of it is the courier's thread's only. */
    static final class Parcel<I, A> {

        private final I item;
        private final int weight;
        private final CompletableFuture<A> answer;
        private int refusals;
        private long firstRefusal;
        private long notBefore;

        Parcel(I item, int weight, CompletableFuture<A> answer) {
            this.item = item;
            this.weight = weight;
            this.answer = answer;
        }

        I item() {
            return item;
        }

        CompletableFuture<A> answer() {
            return answer;
        }

        private void refused(long now) {
            firstRefusal = refusals == 0 ? now : firstRefusal;
            notBefore = now + restAfter(refusals).toNanos();
            refusals++;
        }

        /** Whether it has been refused alone for so long. */
        boolean isRefusedSince(Duration patience) {
            return refusals > 0 && System.nanoTime() - firstRefusal >= patience.toNanos();
        }
    }

    private static final int MOST_AT_ONCE = 500;

    /** Of what goes together; one alone may weigh more. */
    private static final int MOST_WEIGHT = 1_000_000;

    private static final int STEPS_TO_FIND_ONE = 10;
    private static final Duration BETWEEN_STEPS = Duration.ofMillis(5);
    private static final Duration SHORTEST_REST = Duration.ofMillis(200);
    private static final Duration LONGEST_REST = Duration.ofSeconds(5);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // Guarded by lock.
    private final Deque<Parcel<I, A>> ready = new ArrayDeque<>();
    private final Queue<Parcel<I, A>> aside =
            new PriorityQueue<>(Comparator.comparingLong((Parcel<I, A> parcel) -> parcel.notBefore));
    private int travelling;
    private int atOnce = MOST_AT_ONCE;
    private int failures;
    private long restUntil = System.nanoTime();
    private boolean closed;

    /** False if nothing is taken any more. */
    boolean add(Parcel<I, A> parcel) {
        lock.lock();
        try {
            if (!closed) {
                ready.add(parcel);
                changed.signalAll();
            }
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    /** Waits for something to carry; nothing means that the box is closed and empty. */
    List<Parcel<I, A>> take() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            for (long wait = untilTaking(); wait > 0; wait = untilTaking()) {
                changed.awaitNanos(wait);
            }
            return takeReady();
        } finally {
            lock.unlock();
        }
    }

    /** How long it takes until there is something to carry, unless that changes; nothing also where there is no more to come. */
    private long untilTaking() {
        long now = System.nanoTime();
        ready.removeIf(parcel -> parcel.answer.isDone());
        aside.removeIf(parcel -> parcel.answer.isDone());
        while (!aside.isEmpty() && aside.element().notBefore - now <= 0) {
            ready.add(aside.remove());
        }
        if (!ready.isEmpty()) {
            return restUntil - now;
        }
        if (!aside.isEmpty()) {
            return aside.element().notBefore - now;
        }
        return closed ? 0 : Long.MAX_VALUE;
    }

    /** What was refused before goes alone. */
    private List<Parcel<I, A>> takeReady() {
        List<Parcel<I, A>> taken = new ArrayList<>();
        int weight = 0;
        while (!ready.isEmpty() && taken.size() < atOnce) {
            Parcel<I, A> next = ready.element();
            weight += next.weight;
            boolean tooMuch = weight > MOST_WEIGHT || next.refusals > 0;
            if (!taken.isEmpty() && tooMuch) {
                break;
            }
            taken.add(ready.remove());
            if (next.refusals > 0) {
                break;
            }
        }
        travelling = taken.size();
        return taken;
    }

    void answered(List<Parcel<I, A>> batch) {
        lock.lock();
        try {
            travelling = 0;
            failures = 0;
            atOnce = Math.min(MOST_AT_ONCE, Math.max(atOnce, batch.size()) * 2);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** No admin could be reached: everything rests for a while, longer each time. */
    void unreachable(List<Parcel<I, A>> batch) {
        unreachable(batch, restAfter(failures));
    }

    void unreachable(List<Parcel<I, A>> batch, Duration rest) {
        lock.lock();
        try {
            travelling = 0;
            failures++;
            for (int i = batch.size() - 1; i >= 0; i--) {
                ready.addFirst(batch.get(i));
            }
            restUntil = System.nanoTime() + rest.toNanos();
        } finally {
            lock.unlock();
        }
    }

    /** Refused together, they go again in halves; one that was alone waits aside, longer each time. */
    void refused(List<Parcel<I, A>> batch, List<Parcel<I, A>> again) {
        lock.lock();
        try {
            travelling = 0;
            failures++;
            restUntil = System.nanoTime() + restAfterRefusal().toNanos();
            atOnce = Math.max(1, batch.size() / 2);
            if (batch.size() > 1) {
                for (int i = again.size() - 1; i >= 0; i--) {
                    ready.addFirst(again.get(i));
                }
            } else {
                atOnce = MOST_AT_ONCE;
                for (Parcel<I, A> parcel : again) {
                    parcel.refused(System.nanoTime());
                    aside.add(parcel);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** One bad thing is found in a few steps; after more of them the admins refuse everything. */
    private Duration restAfterRefusal() {
        return failures <= STEPS_TO_FIND_ONE ? BETWEEN_STEPS : restAfter(failures - STEPS_TO_FIND_ONE);
    }

    private static Duration restAfter(int failures) {
        Duration rest = SHORTEST_REST.multipliedBy(1L << Math.min(failures, 10));
        Duration bounded = rest.compareTo(LONGEST_REST) < 0 ? rest : LONGEST_REST;
        return bounded.minusNanos(ThreadLocalRandom.current().nextLong(bounded.toNanos() / 4 + 1));
    }

    int size() {
        lock.lock();
        try {
            return ready.size() + aside.size() + travelling;
        } finally {
            lock.unlock();
        }
    }

    /** Nothing is taken in any more. */
    void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Takes out what is left. */
    List<Parcel<I, A>> empty() {
        lock.lock();
        try {
            List<Parcel<I, A>> left = new ArrayList<>(ready);
            left.addAll(aside);
            ready.clear();
            aside.clear();
            return left;
        } finally {
            lock.unlock();
        }
    }
}
