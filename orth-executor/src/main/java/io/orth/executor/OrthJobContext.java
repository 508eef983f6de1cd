package io.orth.executor;

import io.orth.executor.internal.job.CurrentRun;
import io.orth.executor.internal.job.RunScope;
import java.time.Instant;
import java.util.Optional;

/**
 * What a run is about, or an attempt at a queue's message or at a pipeline's task. Inherited by threads that the handler starts; see
 * {@link OrthJobHelper#wrap} for pools.
 *
 * @param jobId the job that runs; 0 for a message
 * @param param what the job or the trigger passes to the handler, or the message's payload or the task's parameters; never null
 * @param logId this run or attempt
 * @param scheduleTime the planned instant; null when triggered by hand, and for a message
 * @param triggerTime when the admin triggered it, or gave the message to this executor
 * @param shardIndex 0 when not sharding
 * @param shardTotal 1 when not sharding
 * @param traceId follows the work across processes; null when the admin sent none
 * @param message the queue's message; empty for a run of a job
 * @param task the pipeline's task that the message is about; empty for other messages, and before the task has begun
 */
public record OrthJobContext(
        int jobId,
        String param,
        long logId,
        Instant scheduleTime,
        Instant triggerTime,
        int shardIndex,
        int shardTotal,
        String traceId,
        Optional<QueueMessage> message,
        Optional<PipelineTaskContext> task) {

    /** The context of a job's run or of an attempt at a message. */
    public OrthJobContext(
            int jobId,
            String param,
            long logId,
            Instant scheduleTime,
            Instant triggerTime,
            int shardIndex,
            int shardTotal,
            String traceId,
            Optional<QueueMessage> message) {
        this(
                jobId,
                param,
                logId,
                scheduleTime,
                triggerTime,
                shardIndex,
                shardTotal,
                traceId,
                message,
                Optional.empty());
    }

    /** The context of a job's run. */
    public OrthJobContext(
            int jobId,
            String param,
            long logId,
            Instant scheduleTime,
            Instant triggerTime,
            int shardIndex,
            int shardTotal,
            String traceId) {
        this(jobId, param, logId, scheduleTime, triggerTime, shardIndex, shardTotal, traceId, Optional.empty());
    }

    /** The run the calling thread works for, if any. */
    public static Optional<OrthJobContext> current() {
        return CurrentRun.find().map(RunScope::context);
    }
}
