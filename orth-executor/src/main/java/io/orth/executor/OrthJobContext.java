package io.orth.executor;

import io.orth.executor.internal.job.CurrentRun;
import io.orth.executor.internal.job.RunScope;
import java.time.Instant;
import java.util.Optional;

/**
 * The context of a job's run, or of an attempt at a queue message or pipeline task. Threads that the handler starts inherit it;
 * for thread pools see {@link OrthJobHelper#wrap}.
 *
 * @param jobId id of the job; 0 for a message
 * @param param parameter of the job or trigger, payload of the message, or parameters of the task; never null
 * @param logId id of this run or attempt
 * @param scheduleTime the fire time that the run was created for; null for a manual trigger and for a message
 * @param triggerTime when the admin triggered the run, or delivered the message to this executor
 * @param shardIndex index of this run in a sharding broadcast, from 0; 0 without sharding
 * @param shardTotal number of runs in the sharding broadcast; 1 without sharding
 * @param traceId trace id that follows the work across processes; null if the admin sent none
 * @param message the queue message; empty for a run of a job
 * @param task the pipeline task that the message carries; empty for other messages, and before the task has started
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

    /** Creates the context of a run or of an attempt at a message, without a task. */
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

    /** Creates the context of a run. */
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

    /** Returns the context that the calling thread works for; empty outside a run. */
    public static Optional<OrthJobContext> current() {
        return CurrentRun.find().map(RunScope::context);
    }
}
