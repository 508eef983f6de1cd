package io.orth.executor.internal.pipeline;

import io.orth.executor.HandlerRegistry;
import io.orth.executor.StageHandler;
import io.orth.executor.internal.job.MessageQueue;
import java.time.Duration;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A pipeline stage that this executor works on, with its settings.
 *
 * @param queue the queue that delivers the tasks
 * @param redaction applied to texts before they leave the process
 * @param concurrency maximum number of concurrent tasks
 * @param timeout timeout of an attempt; zero means none
 */
public record StageQueue(
        String queue,
        String pipeline,
        String stage,
        StageHandler handler,
        UnaryOperator<String> redaction,
        int concurrency,
        Duration timeout) {

    /** Finds the stage in an application's registry. */
    public static Optional<StageQueue> of(HandlerRegistry handlers, String pipeline, String stage) {
        return handlers.stageQueues().stream()
                .filter(each -> each.pipeline.equals(pipeline) && each.stage.equals(stage))
                .findFirst();
    }

    /** Returns the stage's queue as a message queue. */
    public MessageQueue messageQueue(TaskPort port) {
        StageRun run = new StageRun(this);
        return new MessageQueue(
                queue,
                run,
                concurrency,
                timeout,
                run::retryDelay,
                message -> Optional.ofNullable(message.task())
                        .map(task -> new LiveTask(
                                task, message.logId(), message.metadata().get(StageRun.TRACEPARENT), redaction, port)));
    }
}
