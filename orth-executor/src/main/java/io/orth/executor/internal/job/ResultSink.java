package io.orth.executor.internal.job;

import io.orth.executor.RunResult;
import io.orth.protocol.TriggerRequest;

/** Takes the result of every accepted run, exactly once each. */
@FunctionalInterface
public interface ResultSink {

    void finished(TriggerRequest trigger, RunResult result);
}
