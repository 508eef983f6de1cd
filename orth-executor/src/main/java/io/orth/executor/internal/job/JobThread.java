package io.orth.executor.internal.job;

import io.orth.executor.JobHandler;
import io.orth.executor.RunResult;
import io.orth.executor.internal.Threads;
import io.orth.executor.internal.log.RunLog;
import io.orth.executor.internal.log.RunLogFiles;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lane of one job: does the job's runs one after the other, in the order they came, on a thread of its own.
 *
 * <pre>
 *   first trigger ──► polling ──work──► executing ──► polling ──> 30 empty polls, queue closed while empty──► end
 * </pre>
 *
 * A handler that throws, whatever it throws, fails its run; the lane goes on. Should the lane itself break, it takes nothing
 * more and reports what waited.
 */
final class JobThread {

    /**
     * How a lane behaves.
     *
     * @param poll how long one look into the queue waits
     * @param idlePolls the lane ends after more empty looks than this in a row
     */
    record Settings(Duration poll, int idlePolls, int queueCapacity) {}

    /** What a lane needs from the executor; shared by all lanes. */
    record Surroundings(RunLogFiles logs, RunMemory memory, ResultSink results, SharedHandlers handlers) {

        Surroundings(RunLogFiles logs, RunMemory memory, ResultSink results) {
            this(logs, memory, results, new SharedHandlers());
        }
    }

    private static final Logger log = LoggerFactory.getLogger(JobThread.class);

    private final int jobId;
    private final Settings settings;
    private final Surroundings surroundings;
    private final Consumer<JobThread> onEnd;
    private final LaneQueue queue;
    private final Thread thread;

    /** The run in progress until its result is out; whoever takes it away reports it. */
    private final AtomicReference<Work> running = new AtomicReference<>();

    /** The handler this lane uses. Only the lane's thread touches it. */
    private JobHandler handler;

    JobThread(int jobId, Settings settings, Surroundings surroundings, Consumer<JobThread> onEnd) {
        this.jobId = jobId;
        this.settings = settings;
        this.surroundings = surroundings;
        this.onEnd = onEnd;
        this.queue = new LaneQueue(settings.queueCapacity());
        this.thread = Threads.worker("orth-job-" + jobId, this::live);
    }

    int jobId() {
        return jobId;
    }

    void start() {
        thread.start();
    }

    LaneQueue.Offer offer(Work work) {
        return queue.offer(work);
    }

    /** Finish what waits, then end. */
    void drain() {
        queue.drain();
    }

    /** Returns whether the lane has ended within {@code patience}. */
    boolean join(Duration patience) throws InterruptedException {
        thread.join(Math.max(1, patience.toMillis()));
        return !thread.isAlive();
    }

    /** Gives up what waits, which is reported as not executed, and interrupts what runs. */
    void abandon() {
        giveUpQueue("not executed: executor stopped");
        thread.interrupt();
    }

    /** Reports a run that did not react to being interrupted; its own later result is dropped. */
    void disown() {
        Work work = running.getAndSet(null);
        if (work != null) {
            finish(work, RunResult.fail("executor stopped while the run was still going on"));
        }
    }

    private void live() {
        try {
            runUntilIdle();
        } finally {
            onEnd.accept(this);
            leaveHandler();
        }
    }

    private void runUntilIdle() {
        try {
            int idle = 0;
            while (!ended(idle)) {
                Work work = next();
                idle = work == null ? idle + 1 : 0;
                if (work != null) {
                    execute(work);
                }
            }
        } finally {
            // Closed and empty already, unless the lane broke.
            giveUpQueue("not executed: the lane of the job broke");
        }
    }

    private void giveUpQueue(String reason) {
        for (Work work : queue.closeAndEmpty()) {
            finish(work, RunResult.fail(reason));
        }
    }

    private boolean ended(int idle) {
        return (idle > settings.idlePolls() || queue.isDraining()) && queue.closeIfEmpty();
    }

    private Work next() {
        try {
            return queue.poll(settings.poll());
        } catch (InterruptedException e) {
            // The executor has given up on this lane and closed the queue.
            return null;
        }
    }

    private void execute(Work work) {
        running.set(work);
        RunResult result = resultOf(work);
        // An interrupt the handler left behind is not the next run's.
        Thread.interrupted();
        if (running.compareAndSet(work, null)) {
            finish(work, result);
        }
    }

    private RunResult resultOf(Work work) {
        try {
            surroundings.memory().started(work.trigger().logId());
            try (RunLog runLog = surroundings
                    .logs()
                    .open(work.trigger().logId(), work.trigger().logDateTime())) {
                return resultOf(work, new RunScope(work.context(), runLog));
            }
        } catch (Throwable problem) {
            return undescribed(problem);
        }
    }

    /** Anything a handler can throw is its run's failure: errors too, since the next run may do well. */
    private RunResult resultOf(Work work, RunScope scope) {
        try {
            RunResult returned = CurrentRun.during(scope, () -> {
                useHandler(work.handler());
                return work.handler().execute(scope.context());
            });
            return scope.reported().orElse(returned == null ? RunResult.success() : returned);
        } catch (Throwable problem) {
            return failure(scope, problem);
        }
    }

    /** Describing a problem calls its own code, which may throw as well. */
    private static RunResult failure(RunScope scope, Throwable problem) {
        try {
            String stackTrace = RunLog.stackTraceOf(problem);
            scope.log().line("the handler failed\n" + stackTrace.stripTrailing());
            return RunResult.fail(stackTrace);
        } catch (Throwable e) {
            return undescribed(problem);
        }
    }

    private static RunResult undescribed(Throwable problem) {
        return RunResult.fail("failed with %s, which could not be described"
                .formatted(problem.getClass().getName()));
    }

    /** A job that was given another handler gets it between two runs. */
    private void useHandler(JobHandler next) throws Exception {
        if (handler != next) {
            leaveHandler();
            surroundings.handlers().enter(next);
            handler = next;
        }
    }

    private void leaveHandler() {
        JobHandler left = handler;
        handler = null;
        if (left == null) {
            return;
        }
        try {
            surroundings.handlers().leave(left);
        } catch (Throwable problem) {
            log.atWarn().setCause(problem).addKeyValue("jobId", jobId).log("a handler's destroy() failed");
        }
    }

    private void finish(Work work, RunResult result) {
        try {
            surroundings.results().finished(work.trigger(), result);
        } finally {
            surroundings.memory().finished(work.trigger().logId());
        }
    }
}
