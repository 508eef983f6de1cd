package io.orth.executor.internal.job;

import io.orth.executor.JobHandler;
import io.orth.executor.RunResult;
import io.orth.runtime.Threads;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that serves a lane. If the lane's concurrency is 1, this thread executes the runs itself; otherwise it hands them to
 * workers. A worker that has finished a run continues with a waiting one, if that uses the same handler.
 *
 * <pre>
 *   first trigger ──► polling ──run──► init() if needed ──► execute, or start a worker ──► polling
 *                        │
 *                        └── replaced, or > 30 empty polls and nothing to do ──► destroy() ──► end
 * </pre>
 *
 * If the thread itself fails, its waiting runs are reported and the next trigger starts another thread.
 */
final class JobThread {

    private static final Logger log = LoggerFactory.getLogger(JobThread.class);

    private final Lane lane;
    private final int concurrency;
    private final Surroundings surroundings;
    private final Thread thread;

    /** Guarded by the lane's lock. */
    private boolean atGate;

    // Accessed by this thread only: the handler it has entered and the number of workers it has started.
    private JobHandler handler;
    private long workers;

    private JobThread(Lane lane, int concurrency, Surroundings surroundings) {
        this.lane = lane;
        this.concurrency = concurrency;
        this.surroundings = surroundings;
        this.thread = Threads.worker(lane.name(), this::live);
    }

    static JobThread start(Lane lane, int concurrency, Surroundings surroundings) {
        JobThread started = new JobThread(lane, concurrency, surroundings);
        started.thread.start();
        return started;
    }

    Thread thread() {
        return thread;
    }

    /** Requires the lane's lock. */
    void atGate(boolean is) {
        atGate = is;
    }

    /** Requires the lane's lock. */
    void wakeAtGate() {
        if (atGate) {
            thread.interrupt();
        }
    }

    private void live() {
        try {
            serve();
        } finally {
            lane.leave(this);
            leaveHandler();
            lane.ended(this);
        }
    }

    private void serve() {
        int idle = 0;
        while (!lane.isLeftBy(this, idle)) {
            Run run = lane.take(this);
            idle = run == null ? idle + 1 : 0;
            if (run != null) {
                work(run);
            }
        }
    }

    /** Executes a run. The run keeps its slot until {@link Lane#done}, which is called in any case. */
    private void work(Run run) {
        boolean handedOn = false;
        try {
            handedOn = begin(run) && isReady(run) && (concurrency == 1 ? execute(run) : dispatch(run));
        } catch (Throwable problem) {
            surroundings.end(run, HandlerCall.undescribed(problem));
        } finally {
            if (!handedOn) {
                finish(run);
            }
        }
    }

    /** Starts a run. Returns false if it has already ended. */
    private boolean begin(Run run) {
        boolean begun = surroundings.begin(run);
        Duration timeout = run.work().rules().timeout();
        if (begun && !timeout.isZero()) {
            run.watch(surroundings.watch().after(timeout, () -> timeOut(run, timeout)));
        }
        return begun;
    }

    private void timeOut(Run run, Duration timeout) {
        String after = timeout.toMillis() % 1_000 == 0 ? timeout.toSeconds() + " s" : timeout.toMillis() + " ms";
        lane.cut(run, RunResult.timeout("job execute timeout after " + after), "timed out after " + after);
    }

    /**
     * Enters the run's handler. A job switches to a new handler between two runs; workers that still use the old one keep it
     * until they end.
     */
    private boolean isReady(Run run) {
        if (handler == run.handler()) {
            return true;
        }
        leaveHandler();
        Optional<RunResult> failure = HandlerCall.prepare(run.scope(), () -> {
            surroundings.handlers().enter(run.handler());
            handler = run.handler();
            return null;
        });
        failure.ifPresent(result -> surroundings.end(run, result));
        return failure.isEmpty();
    }

    /** Executes a run. Always returns false, which means that the caller has to finish the run. */
    private boolean execute(Run run) {
        surroundings.end(run, HandlerCall.execute(run));
        return false;
    }

    private boolean dispatch(Run run) {
        run.letGo();
        workers++;
        Thread worker = Threads.worker(lane.name() + "-" + workers, () -> workOn(run));
        surroundings.handlers().enterAsWell(run.handler());
        boolean started = false;
        try {
            worker.start();
            started = true;
        } finally {
            if (!started) {
                leave(run.handler());
            }
        }
        return started;
    }

    private void workOn(Run first) {
        Run run = first;
        while (run != null) {
            Run next = null;
            try {
                carryOut(run, run == first);
                next = lane.takeInsteadOf(run, this);
            } finally {
                if (next == null) {
                    leave(run.handler());
                    lane.done(run);
                }
            }
            run = next;
        }
    }

    private void carryOut(Run run, boolean begun) {
        try {
            if (begun ? run.carry() : begin(run)) {
                surroundings.end(run, HandlerCall.execute(run));
            }
        } catch (Throwable problem) {
            surroundings.end(run, HandlerCall.undescribed(problem));
        } finally {
            run.letGo();
        }
    }

    /**
     * Finishes a run. A replaced thread leaves its handler before it frees the slot, so that the handler is initialized again for
     * the next run.
     */
    private void finish(Run run) {
        run.letGo();
        if (!lane.isServedBy(this)) {
            leaveHandler();
        }
        lane.done(run);
    }

    private void leaveHandler() {
        JobHandler left = handler;
        handler = null;
        if (left != null) {
            leave(left);
        }
    }

    private void leave(JobHandler left) {
        try {
            surroundings.handlers().leave(left);
        } catch (Throwable problem) {
            log.atWarn().setCause(problem).addKeyValue("lane", lane.name()).log("a handler's destroy() failed");
        }
    }
}
