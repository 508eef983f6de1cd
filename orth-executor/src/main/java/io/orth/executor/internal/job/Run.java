package io.orth.executor.internal.job;

import io.orth.executor.JobHandler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Accepted work, until its result is out and the thread that carried it has let go.
 *
 * <p>Many may want to end a run: its handler, its deadline, a kill, a stop. Whoever is first reports; the others do nothing. A
 * run that was ended before a thread took it up is never begun.
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

    /** The calling thread takes the run up; false if it has been ended, and then it is not carried. */
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

    /** The calling thread goes on with a run that was begun; false if it has been ended, and then it is not carried. */
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

    /** The calling thread has nothing to do with the run any more; an interrupt that was meant for the run is gone too. */
    void letGo() {
        lock.lock();
        try {
            carrier = null;
        } finally {
            lock.unlock();
        }
        Thread.interrupted();
    }

    /** True for one caller only: the one that reports the result. */
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

    /** Tells the handler to stop. The lock makes sure that it is the carrier of this run that is interrupted. */
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

    /** Where the carrier is now; empty if there is none. */
    StackTraceElement[] whereabouts() {
        lock.lock();
        try {
            return carrier == null ? new StackTraceElement[0] : carrier.getStackTrace();
        } finally {
            lock.unlock();
        }
    }

    /** Null before it was begun. */
    RunScope scope() {
        lock.lock();
        try {
            return scope;
        } finally {
            lock.unlock();
        }
    }

    /** How long ago it was begun; zero if it was not. */
    Duration took() {
        lock.lock();
        try {
            return scope == null ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - begunNanos);
        } finally {
            lock.unlock();
        }
    }

    /** Adds a line of ours to the run's log; one that was never begun has none. */
    void note(String text) {
        RunScope begun = scope();
        if (begun != null) {
            begun.log().line(text);
        }
    }

    /** A timer about this run, which is cancelled when the run is over. */
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

    /** Nobody works on it any more. */
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
