package io.orth.executor.internal.job;

import io.orth.executor.JobHandler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Accepted work, until its result is reported and its thread has let go of it.
 *
 * <p>A handler, a deadline, a kill and a shutdown may compete to end a run. The first one reports; the others do nothing. A run
 * that ended before a thread picked it up never starts.
 */
final class Run {

    private final Work work;
    private final ReentrantLock lock = new ReentrantLock();

    // Guarded by lock.
    private RunScope scope;
    private Thread carrier;
    private boolean ended;
    private boolean over;
    private long begunNanos;
    private final List<Watch.Timer> timers = new ArrayList<>(2);

    Run(Work work) {
        this.work = work;
    }

    long logId() {
        return work.logId();
    }

    JobHandler handler() {
        return work.handler();
    }

    Work work() {
        return work;
    }

    /** Starts the run on the calling thread. Returns false if the run has already ended; the thread is then not attached. */
    boolean begin(RunScope begun) {
        lock.lock();
        try {
            scope = begun;
            begunNanos = System.nanoTime();
            return carry();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Attaches the calling thread to a run that has started. Returns false if the run has already ended; the thread is then not
     * attached.
     */
    boolean carry() {
        lock.lock();
        try {
            if (!ended) {
                carrier = Thread.currentThread();
            }
            return !ended;
        } finally {
            lock.unlock();
        }
    }

    /** Detaches the calling thread from the run and clears an interrupt that was meant for the run. */
    void letGo() {
        lock.lock();
        try {
            carrier = null;
        } finally {
            lock.unlock();
        }
        Thread.interrupted();
    }

    /** Ends the run. Returns true to exactly one caller, which reports the result. */
    boolean end() {
        lock.lock();
        try {
            boolean first = !ended;
            ended = true;
            return first;
        } finally {
            lock.unlock();
        }
    }

    /** Interrupts the handler. The lock ensures that the interrupted thread is still attached to this run. */
    void interrupt() {
        lock.lock();
        try {
            if (scope != null) {
                scope.cancel();
            }
            if (carrier != null) {
                carrier.interrupt();
            }
        } finally {
            lock.unlock();
        }
    }

    boolean isCarriedBy(Thread thread) {
        lock.lock();
        try {
            return carrier == thread;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the stack trace of the attached thread; empty if there is none. */
    StackTraceElement[] whereabouts() {
        lock.lock();
        try {
            return carrier == null ? new StackTraceElement[0] : carrier.getStackTrace();
        } finally {
            lock.unlock();
        }
    }

    /** Returns the scope; null before the start. */
    RunScope scope() {
        lock.lock();
        try {
            return scope;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the time since the start; zero if the run never started. */
    Duration took() {
        lock.lock();
        try {
            return scope == null ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - begunNanos);
        } finally {
            lock.unlock();
        }
    }

    /** Adds a line from the executor to the run's log, if the run has started. */
    void note(String text) {
        RunScope begun = scope();
        if (begun != null) {
            begun.log().line(text);
        }
    }

    /** Attaches a timer, which is cancelled when the run has finished. */
    void watch(Watch.Timer timer) {
        lock.lock();
        try {
            if (over) {
                timer.cancel();
            } else {
                timers.add(timer);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Marks that no thread works on the run any more. */
    void over() {
        lock.lock();
        try {
            over = true;
            timers.forEach(Watch.Timer::cancel);
            timers.clear();
            if (scope != null) {
                scope.log().close();
            }
        } finally {
            lock.unlock();
        }
    }
}
