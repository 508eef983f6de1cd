package io.orth.executor.internal.job;

import io.orth.executor.JobHandler;
import io.orth.executor.PipelineTaskContext;
import io.orth.executor.RetryDelay;
import io.orth.protocol.BlockStrategy;
import io.orth.protocol.ClaimedMessage;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/**
 * A queue that this executor works on, and how. Its messages have a lane of their own, whose name no job's lane can have.
 *
 * @param concurrency how many messages at once
 * @param timeout how long one may take; zero for as long as it wants
 * @param retryDelay the worker's own decision about the next attempt
 * @param tasks gives the pipeline task that a message carries
 */
public record MessageQueue(
        String name,
        JobHandler handler,
        int concurrency,
        Duration timeout,
        RetryDelay retryDelay,
        Function<ClaimedMessage, Optional<PipelineTaskContext>> tasks) {

    /** One whose messages carry no tasks. */
    public MessageQueue(String name, JobHandler handler, int concurrency, Duration timeout, RetryDelay retryDelay) {
        this(name, handler, concurrency, timeout, retryDelay, message -> Optional.empty());
    }

    /** One whose handler decides about the next attempt, if anything does. */
    public MessageQueue(String name, JobHandler handler, int concurrency, Duration timeout) {
        this(name, handler, concurrency, timeout, handler::retryDelay);
    }

    String lane() {
        return "queue-" + name;
    }

    Work.Rules rules() {
        return new Work.Rules(BlockStrategy.CONCURRENT, concurrency, timeout);
    }
}
