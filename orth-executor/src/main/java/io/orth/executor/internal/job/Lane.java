package io.orth.executor.internal.job;

import io.orth.executor.RunResult;
import io.orth.protocol.BlockStrategy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * One job or queue on this executor: the runs that wait, in order, and those that have a slot, at most {@code concurrency} of them.
 *
 * <p>A run keeps its slot until its handler has returned, even if its result is long out, because a handler that was
 * interrupted may still be cleaning up. After the grace time the slot is taken from it: its thread counts as leaked until it
 * ends after all.
 *
 * <p>The lane's {@link JobThread} serves it. There is one whenever something waits. It is replaced, never reused, when it is
 * killed, when the concurrency changes and when it is given up; the one that was replaced ends as soon as it notices.
 *
 * <pre>
 *            offer                take                   done
 *   trigger ───────► waiting ───────────► in a slot ───────────────► (gone)
 *                       │  kill, cover,        │  interruptGrace after being cut short
 *                       ▼  stop: reported      ▼
 *                     (gone)                 leaked ──► (gone)
 * </pre>
 *
 * A lane is closed once, when nothing waits and no slot is taken; a closed lane takes nothing, so no trigger can fall between
 * its thread's last look and its end.
 */
final class Lane {

    enum Offer {
        TAKEN,
        FULL,
        BUSY,
        CLOSED
    }

    /** What became of an offer, and whom it drove out. */
    record Answer(Offer offer, Victims covered) {}

    private final String name;
    private final LaneSettings settings;
    private final Surroundings surroundings;
    private final Consumer<Lane> onClosed;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // Guarded by lock.
    private final Deque<Run> waiting = new ArrayDeque<>();
    private final Set<Run> running = new LinkedHashSet<>();
    private final Set<JobThread> alive = new LinkedHashSet<>();
    private JobThread thread;
    private int concurrency = 1;
    private boolean draining;
    private boolean closed;

    Lane(String name, LaneSettings settings, Surroundings surroundings, Consumer<Lane> onClosed) {
        this.name = name;
        this.settings = settings;
        this.surroundings = surroundings;
        this.onClosed = onClosed;
    }

    String name() {
        return name;
    }

    // --- triggers come in

    /** The caller ends those that were covered. */
    Answer offer(Run run) {
        BlockStrategy strategy = run.work().rules().block();
        lock.lock();
        try {
            if (closed) {
                return new Answer(Offer.CLOSED, Victims.NONE);
            }
            if (strategy == BlockStrategy.DISCARD && isBusy()) {
                return new Answer(Offer.BUSY, Victims.NONE);
            }
            Victims covered = strategy == BlockStrategy.COVER && isBusy() ? clear() : Victims.NONE;
            if (waiting.size() >= settings.queueCapacity() + Math.max(0, concurrency - running.size())) {
                return new Answer(Offer.FULL, covered);
            }
            adopt(run.work().rules().concurrency());
            enqueue(run);
            return new Answer(Offer.TAKEN, covered);
        } finally {
            lock.unlock();
        }
    }

    /** Runs that have a slot keep it, also beyond a lower concurrency; what waits is served by a new thread. */
    private void adopt(int newConcurrency) {
        if (concurrency != newConcurrency) {
            replaceThread(newConcurrency);
            concurrency = newConcurrency;
        }
    }

    /** Throws, and has changed nothing, if no thread is to be had. */
    private void enqueue(Run run) {
        try {
            if (thread == null) {
                thread = startThread(concurrency);
            }
        } finally {
            closeIfDone();
        }
        waiting.add(run);
        changed.signalAll();
    }

    /** Throws, and has changed nothing, if no thread is to be had. */
    private void replaceThread(int threadsConcurrency) {
        JobThread next = waiting.isEmpty() ? null : startThread(threadsConcurrency);
        retireThread();
        thread = next;
    }

    private JobThread startThread(int threadsConcurrency) {
        JobThread started = JobThread.start(this, threadsConcurrency, surroundings);
        alive.add(started);
        return started;
    }

    // --- its thread takes them

    /** The next run, now in a slot; null after one poll, or when the calling thread is not this lane's any more. */
    Run take(JobThread caller) {
        lock.lock();
        try {
            long left = settings.poll().toNanos();
            while (thread == caller && !canTake() && !(draining && !isBusy()) && left > 0) {
                left = changed.awaitNanos(left);
            }
            if (thread != caller || !canTake() || !passGate(caller)) {
                return null;
            }
            running.add(waiting.element());
            return waiting.remove();
        } catch (InterruptedException e) {
            // Nobody of us interrupts a thread here. A handler's left-over helper may; then it looks again.
            return null;
        } finally {
            lock.unlock();
        }
    }

    private boolean canTake() {
        return !waiting.isEmpty() && running.size() < concurrency;
    }

    /** Waits without the lock, so that what waits for the gate can be killed. Returns whether there still is something to do. */
    private boolean passGate(JobThread caller) {
        while (!surroundings.gate().isOpen() && thread == caller && canTake()) {
            caller.atGate(true);
            lock.unlock();
            try {
                surroundings.gate().pass();
            } catch (InterruptedException e) {
                // Woken by retireThread(); the loop's condition finds out.
            } finally {
                lock.lock();
                caller.atGate(false);
                Thread.interrupted();
            }
        }
        return thread == caller && canTake();
    }

    /** Whether the calling thread is to end: it was replaced, or there is nothing to do any more and the lane is closed now. */
    boolean isLeftBy(JobThread caller, int idlePolls) {
        lock.lock();
        try {
            if (thread == caller && (idlePolls > settings.idlePolls() || draining) && !isBusy()) {
                thread = null;
                closeIfDone();
            }
            return thread != caller;
        } finally {
            lock.unlock();
        }
    }

    boolean isServedBy(JobThread caller) {
        return locked(() -> thread == caller);
    }

    /** The handler has returned: the next run, now in that slot, if it is for the same handler and may start; else null. */
    Run takeInsteadOf(Run done, JobThread caller) {
        done.over();
        lock.lock();
        try {
            Run next = waiting.peek();
            if (next == null
                    || thread != caller
                    || next.handler() != done.handler()
                    || running.size() > concurrency
                    || !surroundings.gate().isOpen()
                    || !running.remove(done)) {
                return null;
            }
            running.add(waiting.remove());
            return next;
        } finally {
            lock.unlock();
        }
    }

    /** The handler has returned, or never began. */
    void done(Run run) {
        run.over();
        lock.lock();
        try {
            if (running.remove(run)) {
                // Who waits for the end is told by closeIfDone(); waking the thread for nothing would cost more than
                // the run.
                if (canTake() || (draining && !isBusy())) {
                    changed.signalAll();
                }
                closeIfDone();
            } else {
                surroundings.leaked().decrementAndGet();
            }
        } finally {
            lock.unlock();
        }
    }

    /** The calling thread serves no more. If it broke, nobody else knows of what waited: it is reported. */
    void leave(JobThread caller) {
        List<Run> stranded = isServedBy(caller) ? kill().waiting() : List.of();
        stranded.forEach(run -> surroundings.end(run, RunResult.fail("not executed: the lane of the job broke")));
    }

    /** The calling thread has nothing more to do. */
    void ended(JobThread caller) {
        lock.lock();
        try {
            alive.remove(caller);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    // --- runs are cut short

    /** Takes everything out and lets the thread go; the caller ends the victims. */
    Victims kill() {
        return locked(() -> {
            Victims victims = clear();
            closeIfDone();
            return victims;
        });
    }

    private Victims clear() {
        Victims victims = new Victims(thread != null || !running.isEmpty(), List.copyOf(waiting), List.copyOf(running));
        waiting.clear();
        retireThread();
        return victims;
    }

    private void retireThread() {
        if (thread != null) {
            thread.wakeAtGate();
            thread = null;
            changed.signalAll();
        }
    }

    /** Takes these runs out, as far as they are here; the caller ends the victims. */
    Victims withdraw(Predicate<Run> wanted) {
        return locked(() -> {
            List<Run> withdrawn = waiting.stream().filter(wanted).toList();
            waiting.removeIf(wanted);
            return new Victims(true, withdrawn, running.stream().filter(wanted).toList());
        });
    }

    /**
     * Ends a run that has a slot with this result, unless it has ended; its handler has the grace time to return. Why is said in
     * the run's log before anybody hears that the run has ended, so who follows the log reads it.
     */
    void cut(Run run, RunResult result, String why) {
        if (run.end()) {
            try {
                interrupt(run);
                run.note(why);
            } finally {
                surroundings.report(run, result);
            }
        }
    }

    /** Tells a run's handler to stop; if it does not within the grace time, its slot is given to others. */
    void interrupt(Run run) {
        run.interrupt();
        run.watch(surroundings.watch().after(settings.interruptGrace(), () -> giveUp(run)));
    }

    private void giveUp(Run run) {
        lock.lock();
        try {
            if (!running.contains(run)) {
                return;
            }
            if (thread != null && run.isCarriedBy(thread.thread())) {
                replaceThread(concurrency);
            }
            alive.removeIf(each -> run.isCarriedBy(each.thread()));
            running.remove(run);
            surroundings.leaked().incrementAndGet();
            changed.signalAll();
            closeIfDone();
        } catch (OutOfMemoryError e) {
            // No thread to be had to go on with: the run keeps its slot for another while.
            interrupt(run);
            throw e;
        } finally {
            lock.unlock();
        }
        surroundings.tellThatItLeaks(run);
    }

    // --- the end

    /** Finish what waits, then end. */
    void drain() {
        lock.lock();
        try {
            draining = true;
            changed.signalAll();
            closeIfDone();
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether within {@code nanos} the lane has closed and its threads have left their handlers. */
    boolean awaitEnd(long nanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = nanos;
            while (!(closed && alive.isEmpty()) && left > 0) {
                left = changed.awaitNanos(left);
            }
            return closed && alive.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    private void closeIfDone() {
        if (thread == null && !isBusy() && !closed) {
            closed = true;
            changed.signalAll();
            onClosed.accept(this);
        }
    }

    private boolean isBusy() {
        return !waiting.isEmpty() || !running.isEmpty();
    }

    // --- what is going on

    boolean isIdle() {
        return locked(() -> !isBusy());
    }

    /** How many have a slot, and how many wait. */
    JobThreads.Load load() {
        return locked(() -> new JobThreads.Load(running.size(), waiting.size(), 0));
    }

    private <T> T locked(Supplier<T> question) {
        lock.lock();
        try {
            return question.get();
        } finally {
            lock.unlock();
        }
    }
}
