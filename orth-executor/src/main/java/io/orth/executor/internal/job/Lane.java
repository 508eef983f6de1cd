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
 * One job or queue on this executor: its waiting runs, in order, and the runs that have a slot, at most {@code concurrency} of
 * them.
 *
 * <p>A run keeps its slot until its handler has returned, even if its result has been reported long before, because an
 * interrupted handler may still be cleaning up. After the grace period the slot is taken away, and the thread counts as leaked
 * until it ends.
 *
 * <p>The lane's {@link JobThread} serves it. There is one whenever a run waits. A thread is replaced, never reused, after a kill,
 * when the concurrency changes and when the thread is abandoned. A replaced thread ends as soon as it notices.
 *
 * <pre>
 *            offer                take                   done
 *   trigger ───────► waiting ───────────► in a slot ───────────────► (removed)
 *                       │  kill, cover,        │  interruptGrace after being cut short
 *                       ▼  stop: reported      ▼
 *                     (removed)              leaked ──► (removed)
 * </pre>
 *
 * A lane is closed once, when no run waits and no slot is taken. A closed lane accepts nothing, so no trigger can get lost
 * between its thread's last check and the thread's end.
 */
final class Lane {

    enum Offer {
        TAKEN,
        FULL,
        BUSY,
        CLOSED
    }

    /** The outcome of an offer, and the runs that it evicted. */
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

    // --- accepting runs

    /** Offers a run. The caller ends the evicted runs. */
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

    /** Applies a new concurrency. Runs that have a slot keep it even above a lower limit; a new thread serves the waiting runs. */
    private void adopt(int newConcurrency) {
        if (concurrency != newConcurrency) {
            replaceThread(newConcurrency);
            concurrency = newConcurrency;
        }
    }

    /** Throws without changing anything if no thread can be created. */
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

    /** Throws without changing anything if no thread can be created. */
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

    // --- taking runs

    /** Takes the next run and gives it a slot. Returns null after one poll, or if the calling thread has been replaced. */
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
            // The executor never interrupts a thread here, but a leftover thread of a handler may. The caller then
            // polls again.
            return null;
        } finally {
            lock.unlock();
        }
    }

    private boolean canTake() {
        return !waiting.isEmpty() && running.size() < concurrency;
    }

    /** Waits for the start gate without holding the lock, so that waiting runs can be killed. Returns whether there is still work. */
    private boolean passGate(JobThread caller) {
        while (!surroundings.gate().isOpen() && thread == caller && canTake()) {
            caller.atGate(true);
            lock.unlock();
            try {
                surroundings.gate().pass();
            } catch (InterruptedException e) {
                // Woken by retireThread(); the loop's condition detects it.
            } finally {
                lock.lock();
                caller.atGate(false);
                Thread.interrupted();
            }
        }
        return thread == caller && canTake();
    }

    /** Returns whether the calling thread has to end: it was replaced, or the lane had nothing to do and is now closed. */
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

    /**
     * Takes the next run in the slot of a run whose handler has returned. Returns null unless the next run uses the same handler
     * and may start.
     */
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

    /** Frees the slot of a run whose handler has returned or never started. */
    void done(Run run) {
        run.over();
        lock.lock();
        try {
            if (running.remove(run)) {
                // closeIfDone() notifies threads that wait for the end. Waking the lane's thread without work would
                // cost more than the run.
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

    /** Detaches the calling thread. If it failed, no other thread knows about the waiting runs, so they are reported here. */
    void leave(JobThread caller) {
        List<Run> stranded = isServedBy(caller) ? kill().waiting() : List.of();
        stranded.forEach(run -> surroundings.end(run, RunResult.fail("not executed: the lane of the job broke")));
    }

    /** Records that the calling thread has ended. */
    void ended(JobThread caller) {
        lock.lock();
        try {
            alive.remove(caller);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    // --- ending runs early

    /** Withdraws all runs and replaces the thread; the caller ends the evicted runs. */
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

    /** Withdraws the runs that match, if they are here; the caller ends them. */
    Victims withdraw(Predicate<Run> wanted) {
        return locked(() -> {
            List<Run> withdrawn = waiting.stream().filter(wanted).toList();
            waiting.removeIf(wanted);
            return new Victims(true, withdrawn, running.stream().filter(wanted).toList());
        });
    }

    /**
     * Ends a run that has a slot with this result, unless it has already ended. Its handler has the grace period to return. The
     * reason is written to the run's log before the result is reported, so that a reader following the log sees it.
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

    /** Interrupts a run's handler. If it does not return within the grace period, its slot is taken away. */
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
            // No thread can be created to continue with. The run keeps its slot for another grace period.
            interrupt(run);
            throw e;
        } finally {
            lock.unlock();
        }
        surroundings.tellThatItLeaks(run);
    }

    // --- end of the lane

    /** Finishes waiting runs, then ends. */
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

    /** Waits for the end. Returns whether the lane has closed within {@code nanos} and its threads have left their handlers. */
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

    // --- status

    boolean isIdle() {
        return locked(() -> !isBusy());
    }

    /** Returns how many runs have a slot and how many wait. */
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
