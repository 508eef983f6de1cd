package io.orth.executor.internal.job;

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

    Surroundings(RunLogFiles logs, RunMemory memory, ResultSink results, StartGate gate, Watch watch) {
        this(logs, memory, results, gate, watch, new SharedHandlers(), new AtomicInteger());
    }

    /** The calling thread takes a run up; false if the run was ended before. */
    boolean begin(Run run) {
        long logId = run.trigger().logId();
        RunScope scope = new RunScope(
                run.work().context(),
                logs.open(logId, run.trigger().logDateTime()),
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

    /** For the one who has ended the run. A sink that breaks costs this result, which is still remembered, and no other. */
    void report(Run run, RunResult result) {
        try {
            results.finished(run.trigger(), result);
        } catch (Throwable problem) {
            log.atError()
                    .setCause(problem)
                    .addKeyValue("runId", run.trigger().logId())
                    .log("a result could not be reported");
        } finally {
            memory.finished(run.trigger().logId(), result);
        }
    }

    /** Says in our log and in the run's where its handler is now. */
    void tellThatItLeaks(Run run) {
        StringBuilder stack =
                new StringBuilder("the handler was interrupted but does not stop; its thread is given up at");
        for (StackTraceElement frame : run.whereabouts()) {
            stack.append("\n\tat ").append(frame);
        }
        log.atWarn()
                .addKeyValue("jobId", run.trigger().jobId())
                .addKeyValue("runId", run.trigger().logId())
                .log(stack.toString());
        run.note(stack.toString());
    }
}
