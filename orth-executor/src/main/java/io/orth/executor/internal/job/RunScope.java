package io.orth.executor.internal.job;

import io.orth.executor.OrthJobContext;
import io.orth.executor.RunResult;
import io.orth.executor.internal.log.RunLog;
import java.util.Optional;
import java.util.function.IntConsumer;

/** One run during its execution: its context, its log and its reported result. Shared by the run's threads. */
public final class RunScope {

    private final RunLog log;
    private final IntConsumer onProgress;
    private final OrthJobContext context;
    private volatile RunResult reported;
    private volatile boolean cancelled;

    /** @param onProgress receives the progress that the handler reports, in percent */
    RunScope(OrthJobContext context, RunLog log, IntConsumer onProgress) {
        this.context = context;
        this.log = log;
        this.onProgress = onProgress;
    }

    public OrthJobContext context() {
        return context;
    }

    public RunLog log() {
        return log;
    }

    /** Sets the result; the last report wins. */
    public void report(RunResult result) {
        reported = result;
    }

    Optional<RunResult> reported() {
        return Optional.ofNullable(reported);
    }

    /** Returns whether the run has to stop. */
    public boolean isCancelled() {
        return cancelled;
    }

    void cancel() {
        cancelled = true;
    }

    public void progress(int percent) {
        onProgress.accept(percent);
    }
}
