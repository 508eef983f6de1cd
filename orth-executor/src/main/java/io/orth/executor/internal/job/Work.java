package io.orth.executor.internal.job;

import io.orth.executor.JobHandler;
import io.orth.executor.OrthJobContext;
import io.orth.executor.PipelineTaskContext;
import io.orth.executor.QueueMessage;
import io.orth.executor.RetryDelay;
import io.orth.protocol.BlockStrategy;
import io.orth.protocol.ClaimedMessage;
import io.orth.protocol.MessageClaim;
import io.orth.protocol.TriggerRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Accepted work, its handler and the rules of its lane.
 *
 * @param lane name of the lane: {@code job-7} for the triggers of a job, {@code queue-emails} for the messages of a queue
 * @param retryDelay the worker's decision about the delay before the next attempt
 * @param attempt number of the attempt, from 1
 */
record Work(String lane, Rules rules, JobHandler handler, OrthJobContext context, RetryDelay retryDelay, int attempt) {

    /**
     * The rules by which a lane executes work.
     *
     * @param concurrency maximum number of concurrent runs; 1 unless the strategy is CONCURRENT
     * @param timeout zero means none
     */
    record Rules(BlockStrategy block, int concurrency, Duration timeout) {}

    /** Creates the work of a trigger. */
    Work(TriggerRequest trigger, JobHandler handler) {
        this(
                laneOf(trigger.jobId()),
                rulesOf(trigger),
                handler,
                contextOf(trigger),
                handler::retryDelay,
                trigger.attempt());
    }

    /** Creates the work of a message that this instance has claimed. */
    Work(MessageQueue queue, ClaimedMessage message, String instanceId) {
        this(
                queue.lane(),
                queue.rules(),
                queue.handler(),
                contextOf(queue, message, instanceId),
                queue.retryDelay(),
                message.attempt());
    }

    static String laneOf(int jobId) {
        return "job-" + jobId;
    }

    long logId() {
        return context.logId();
    }

    private static Rules rulesOf(TriggerRequest trigger) {
        return new Rules(
                trigger.blockStrategy(),
                trigger.blockStrategy() == BlockStrategy.CONCURRENT ? trigger.concurrency() : 1,
                Duration.ofSeconds(Math.max(0, trigger.timeoutSeconds())));
    }

    private static OrthJobContext contextOf(TriggerRequest trigger) {
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

    private static OrthJobContext contextOf(MessageQueue queue, ClaimedMessage message, String instanceId) {
        QueueMessage about = new QueueMessage(
                queue.name(),
                message.id(),
                message.attempt(),
                message.maxAttempts(),
                message.metadata(),
                Instant.ofEpochMilli(message.pushedAt()),
                new MessageClaim(queue.name(), message.id(), message.logId(), instanceId));
        Optional<PipelineTaskContext> task = queue.tasks().apply(message);
        return new OrthJobContext(
                0,
                task.map(PipelineTaskContext::params).orElse(message.payload()),
                message.logId(),
                null,
                Instant.ofEpochMilli(message.logDateTime()),
                0,
                1,
                task.map(PipelineTaskContext::traceId).orElse(message.traceId()),
                Optional.of(about),
                task);
    }
}
