package io.orth.executor.internal.job;

import io.orth.executor.OrthJobContext;
import io.orth.executor.RunResult;
import io.orth.executor.internal.log.RunLogFiles;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a lane needs from the executor; shared by all lanes.
 *
 * @param leaked threads of runs that were given up and still go on
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

    /** The calling thread takes a run up; false if the run was ended before. */
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

    /** Ends a run with this result, unless it was ended before. */
    void end(Run run, RunResult result) {
        if (run.end()) {
            report(run, result);
        }
    }

    /**
     * For the one who has ended the run. If the sink breaks, for want of memory say, the same result without its text is reported: a
     * result that is not reported keeps its slot. Whatever happens, the result is remembered and an admin can ask for it.
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

    /** A problem that cannot be logged either must not keep the run from being ended. */
    private static void note(Run run, Throwable problem) {
        try {
            log.atError().setCause(problem).addKeyValue("runId", run.logId()).log("a result could not be reported");
        } catch (Throwable another) {
            // There is nothing left to do about it.
        }
    }

    private void remember(Run run, RunResult result) {
        if (run.work().context().message().isPresent()) {
            memory.finishedMessage(run.logId(), result);
        } else {
            memory.finished(run.logId(), result);
        }
    }

    /** Releases a message that waited, which the caller reports; false if it was ended before. */
    boolean giveBack(Run run) {
        boolean first = run.end();
        if (first) {
            memory.released(run.logId());
        }
        return first;
    }

    /** Says in our log and in the run's where its handler is now. */
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
