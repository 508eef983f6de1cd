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
 * A queue that this executor works on, with its settings. Its messages have their own lane, whose name cannot equal that of a
 * job's lane.
 *
 * @param concurrency maximum number of concurrent messages
 * @param timeout timeout of an attempt; zero means none
 * @param retryDelay the worker's decision about the delay before the next attempt
 * @param tasks returns the pipeline task that a message carries
 */
public record MessageQueue(
        String name,
        JobHandler handler,
        int concurrency,
        Duration timeout,
        RetryDelay retryDelay,
        Function<ClaimedMessage, Optional<PipelineTaskContext>> tasks) {

    /** Creates a queue whose messages carry no tasks. */
    public MessageQueue(String name, JobHandler handler, int concurrency, Duration timeout, RetryDelay retryDelay) {
        this(name, handler, concurrency, timeout, retryDelay, message -> Optional.empty());
    }

    /** Creates a queue whose handler decides the delay before the next attempt. */
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
