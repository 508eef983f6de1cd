package io.orth.executor.internal.job;

import io.orth.executor.JobHandler;
import io.orth.executor.RunResult;
import io.orth.executor.internal.Threads;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that serves a lane. If the lane does one run at a time, this thread does them itself; if it does several, this
 * thread hands each to a worker.
 *
 * <pre>
 *   first trigger ──► polling ──run──► init() if needed ──► execute, or start a worker ──► polling
 *                        │
 *                        └── replaced, or > 30 empty polls and nothing to do ──► destroy() ──► end
 * </pre>
 *
 * Should the thread itself break, what waited is reported and the next trigger starts another.
 */
final class JobThread {

    private static final Logger log = LoggerFactory.getLogger(JobThread.class);

    private final Lane lane;
    private final int concurrency;
    private final Surroundings surroundings;
    private final Thread thread;

    /** Guarded by the lane's lock. */
    private boolean atGate;

    // Only this thread touches these: the handler it has entered, and how many workers it has started.
    private JobHandler handler;
    private long workers;

    private JobThread(Lane lane, int concurrency, Surroundings surroundings) {
        this.lane = lane;
        this.concurrency = concurrency;
        this.surroundings = surroundings;
        this.thread = Threads.worker("orth-job-" + lane.jobId(), this::live);
    }

    static JobThread start(Lane lane, int concurrency, Surroundings surroundings) {
        JobThread started = new JobThread(lane, concurrency, surroundings);
        started.thread.start();
        return started;
    }

    Thread thread() {
        return thread;
    }

    /** Called with the lane's lock. */
    void atGate(boolean is) {
        atGate = is;
    }

    /** Called with the lane's lock. */
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

    /** From here on the run keeps its slot until {@link Lane#done}, which is called in any case. */
    private void work(Run run) {
        boolean handedOn = false;
        try {
            if (surroundings.begin(run)) {
                limitTime(run);
                handedOn = isReady(run) && (concurrency == 1 ? execute(run) : dispatch(run));
            }
        } catch (Throwable problem) {
            surroundings.end(run, HandlerCall.undescribed(problem));
        } finally {
            if (!handedOn) {
                finish(run);
            }
        }
    }

    private void limitTime(Run run) {
        int seconds = run.trigger().timeoutSeconds();
        if (seconds > 0) {
            RunResult result = RunResult.timeout("job execute timeout after %d s".formatted(seconds));
            String why = "timed out after %d s".formatted(seconds);
            run.watch(surroundings.watch().after(Duration.ofSeconds(seconds), () -> lane.cut(run, result, why)));
        }
    }

    /** A job that was given another handler gets it between two runs; workers that still use the old one keep it until they end. */
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

    /** Always false: when it returns, the run needs finishing by the caller. */
    private boolean execute(Run run) {
        surroundings.end(run, HandlerCall.execute(run.scope(), run.handler()));
        return false;
    }

    private boolean dispatch(Run run) {
        run.letGo();
        workers++;
        Thread worker = Threads.worker("orth-job-%d-%d".formatted(lane.jobId(), workers), () -> workOn(run));
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

    private void workOn(Run run) {
        try {
            if (run.carry()) {
                surroundings.end(run, HandlerCall.execute(run.scope(), run.handler()));
            }
        } finally {
            run.letGo();
            leave(run.handler());
            lane.done(run);
        }
    }

    /** A thread that was replaced leaves its handler before its slot is free, so that the next run has it initialised anew. */
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
            log.atWarn().setCause(problem).addKeyValue("jobId", lane.jobId()).log("a handler's destroy() failed");
        }
    }
}
