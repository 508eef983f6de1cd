package io.orth.executor.internal.job;

import io.orth.executor.OrthJobContext;
import io.orth.executor.RunResult;
import java.time.Duration;

/** Takes the result of all accepted work, exactly once each. */
@FunctionalInterface
public interface ResultSink {

    /** @param took since it was begun; zero if it never was */
    void finished(OrthJobContext run, RunResult result, Duration took);
}
