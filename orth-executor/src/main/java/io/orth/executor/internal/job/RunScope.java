package io.orth.executor.internal.job;

import io.orth.executor.OrthJobContext;
import io.orth.executor.RunResult;
import io.orth.executor.internal.log.RunLog;
import java.util.Optional;
import java.util.function.IntConsumer;

/** One run while it lasts: its context, its log and what was reported about it so far. Shared by the run's threads. */
public final class RunScope {

    private final RunLog log;
    private final IntConsumer onProgress;
    private final OrthJobContext context;
    private volatile RunResult reported;
    private volatile boolean cancelled;

    /** @param onProgress hears how far the handler says it is, in percent */
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

    /** The last report counts. */
    public void report(RunResult result) {
        reported = result;
    }

    Optional<RunResult> reported() {
        return Optional.ofNullable(reported);
    }

    /** Whether the run was told to stop. */
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
