package io.orth.executor.internal.job;

import io.orth.executor.OrthJobContext;
import io.orth.executor.RunResult;
import io.orth.executor.internal.log.RunLogFiles;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The context that all lanes share.
 *
 * @param leaked number of threads that are still running after their slot was taken away
 */
record Surroundings(
        RunLogFiles logs,
        RunMemory memory,
        ResultSink results,
        StartGate gate,
        Watch watch,
        SharedHandlers handlers,
        AtomicInteger leaked) {

    private static final Logger log = LoggerFactory.getLogger(Surroundings.class);
    private static final String NO_TEXT = "the text of this result could not be reported";

    Surroundings(RunLogFiles logs, RunMemory memory, ResultSink results, StartGate gate, Watch watch) {
        this(logs, memory, results, gate, watch, new SharedHandlers(), new AtomicInteger());
    }

    /** Starts a run on the calling thread. Returns false if the run has already ended. */
    boolean begin(Run run) {
        OrthJobContext context = run.work().context();
        long logId = context.logId();
        RunScope scope = new RunScope(
                context,
                logs.open(logId, context.triggerTime().toEpochMilli()),
                percent -> memory.progress(logId, percent));
        boolean begun = run.begin(scope);
        if (begun) {
            memory.started(logId);
        }
        return begun;
    }

    /** Ends a run with this result, unless it has already ended. */
    void end(Run run, RunResult result) {
        if (run.end()) {
            report(run, result);
        }
    }

    /**
     * Reports the result; called by the thread that ended the run. If the sink fails, for example for lack of memory, the result
     * is reported again without its text, because an unreported result keeps its slot. In any case the result is remembered, and
     * an admin can query it.
     */
    void report(Run run, RunResult result) {
        try {
            results.finished(run.work().context(), result, run.took());
        } catch (Throwable problem) {
            note(run, problem);
            reportWithoutText(run, result);
        } finally {
            remember(run, result);
        }
    }

    private void reportWithoutText(Run run, RunResult result) {
        try {
            results.finished(run.work().context(), withoutText(result), run.took());
        } catch (Throwable problem) {
            note(run, problem);
        }
    }

    private static RunResult withoutText(RunResult result) {
        if (result instanceof RunResult.FailedForGood) {
            return RunResult.failForGood(NO_TEXT);
        }
        return result instanceof RunResult.RetryAfter later
                ? new RunResult.RetryAfter(later.delay(), NO_TEXT, later.code())
                : RunResult.of(result.code(), NO_TEXT);
    }

    /** Logs a problem. A failure to log must not keep the run from being ended. */
    private static void note(Run run, Throwable problem) {
        try {
            log.atError().setCause(problem).addKeyValue("runId", run.logId()).log("a result could not be reported");
        } catch (Throwable another) {
            // Nothing more can be done.
        }
    }

    private void remember(Run run, RunResult result) {
        if (run.work().context().message().isPresent()) {
            memory.finishedMessage(run.logId(), result);
        } else {
            memory.finished(run.logId(), result);
        }
    }

    /** Releases a waiting message; the caller reports it. Returns false if it has already ended. */
    boolean giveBack(Run run) {
        boolean first = run.end();
        if (first) {
            memory.released(run.logId());
        }
        return first;
    }

    /** Writes the handler's stack trace to the executor's log and to the run's log. */
    void tellThatItLeaks(Run run) {
        StringBuilder stack =
                new StringBuilder("the handler was interrupted but does not stop; its thread is given up at");
        for (StackTraceElement frame : run.whereabouts()) {
            stack.append("\n\tat ").append(frame);
        }
        log.atWarn()
                .addKeyValue("lane", run.work().lane())
                .addKeyValue("runId", run.logId())
                .log(stack.toString());
        run.note(stack.toString());
    }
}
