package io.orth.executor.internal.job;

import io.orth.executor.JobHandler;
import io.orth.executor.OrthJobContext;
import io.orth.protocol.TriggerRequest;
import java.time.Instant;

/** An accepted trigger and the handler that will do it. */
record Work(TriggerRequest trigger, JobHandler handler) {

    OrthJobContext context() {
        return new OrthJobContext(
                trigger.jobId(),
                trigger.params(),
                trigger.logId(),
                trigger.scheduleTime() == null ? null : Instant.ofEpochMilli(trigger.scheduleTime()),
                Instant.ofEpochMilli(trigger.logDateTime()),
                trigger.shardIndex(),
                trigger.shardTotal(),
                trigger.traceId());
    }
}
