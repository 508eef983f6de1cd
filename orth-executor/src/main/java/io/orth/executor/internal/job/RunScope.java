package io.orth.executor.internal.job;

import io.orth.executor.OrthJobContext;
import io.orth.executor.RunResult;
import io.orth.executor.internal.log.RunLog;
import java.util.Optional;

/** One run while it lasts: its context, its log and what was reported about it so far. Shared by the run's threads. */
public final class RunScope {

    private final OrthJobContext context;
    private final RunLog log;
    private volatile RunResult reported;

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
}
