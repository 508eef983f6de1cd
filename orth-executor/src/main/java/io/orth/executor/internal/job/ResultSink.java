package io.orth.executor.internal.job;

import io.orth.executor.OrthJobContext;
import io.orth.executor.RunResult;
import java.time.Duration;

/** Receives the result of all accepted work, exactly once per run or message attempt. */
@FunctionalInterface
public interface ResultSink {

    /** @param took time since the start; zero if the work never started */
    void finished(OrthJobContext run, RunResult result, Duration took);
}
