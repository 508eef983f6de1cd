package io.orth.executor.internal.job;

import io.orth.executor.OrthJobContext;
import io.orth.executor.RunResult;
import io.orth.executor.internal.log.RunLog;
import java.util.Optional;
import java.util.OptionalInt;

/** One run while it lasts: its context, its log and what was reported about it so far. Shared by the run's threads. */
public final class RunScope {

    private static final int UNKNOWN = -1;

    private final OrthJobContext context;
    private final RunLog log;
    private volatile RunResult reported;
    private volatile boolean cancelled;
    private volatile int progress = UNKNOWN;

    RunScope(OrthJobContext context, RunLog log) {
        this.context = context;
        this.log = log;
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
        progress = percent;
    }

    /** How far the handler says it is, in percent. */
    OptionalInt progress() {
        return progress == UNKNOWN ? OptionalInt.empty() : OptionalInt.of(progress);
    }
}
