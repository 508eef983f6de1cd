package io.orth.executor.internal.pipeline;

import io.orth.executor.HandlerRegistry;
import io.orth.executor.StageHandler;
import io.orth.executor.internal.job.MessageQueue;
import java.time.Duration;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A stage of a pipeline that this executor works on, and how.
 *
 * @param queue by which its tasks come
 * @param redaction what texts go through before they leave the process
 * @param concurrency how many tasks at once
 * @param timeout how long one may take; zero for as long as it wants
 */
public record StageQueue(
        String queue,
        String pipeline,
        String stage,
        StageHandler handler,
        UnaryOperator<String> redaction,
        int concurrency,
        Duration timeout) {

    /** The one of an application's registry for this stage. */
    public static Optional<StageQueue> of(HandlerRegistry handlers, String pipeline, String stage) {
        return handlers.stageQueues().stream()
                .filter(each -> each.pipeline.equals(pipeline) && each.stage.equals(stage))
                .findFirst();
    }

    /** The queue, as others are worked on. */
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
