package io.orth.executor;

import io.orth.executor.internal.pipeline.StageQueue;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * A stage of a pipeline that an executor works on, with which handler and how. Added to {@link HandlerRegistry.Builder#addStage}, or
 * made by {@link OrthStage}. Each method that sets something gives back another worker and leaves this one as it is.
 *
 * <pre>{@code
 * HandlerRegistry.builder()
 *         .addStage(PipelineWorker.of("hydrateAll", "topics", task -> topics.hydrate(task.targetId()))
 *                 .concurrency(8)
 *                 .timeout(Duration.ofMinutes(2)))
 * }</pre>
 */
public final class PipelineWorker {

    /** Its tasks come by a queue, so it is one of a queue, but for the handler. */
    private final QueueWorker worker;

    private final String pipeline;
    private final String stage;
    private final StageHandler handler;
    private final UnaryOperator<String> redaction;

    private PipelineWorker(
            QueueWorker worker, String pipeline, String stage, StageHandler handler, UnaryOperator<String> redaction) {
        this.worker = worker;
        this.pipeline = pipeline;
        this.stage = stage;
        this.handler = handler;
        this.redaction = redaction;
    }

    /** A worker that works on one task at a time. */
    public static PipelineWorker of(String pipeline, String stage, StageHandler handler) {
        Objects.requireNonNull(handler, "handler");
        String owner = "the worker of the stage '%s' of the pipeline '%s'".formatted(stage, pipeline);
        return new PipelineWorker(
                QueueWorker.ofStage(owner, queueOf(pipeline, stage, owner)),
                pipeline,
                stage,
                handler,
                UnaryOperator.identity());
    }

    /**
     * The worker that is a method.
     *
     * @param method a method of the target's type
     * @param texts makes the text that is meant of the text that the annotation has, as by resolving placeholders
     * @throws IllegalArgumentException naming the class and the method, if it cannot be a worker
     */
    public static PipelineWorker of(
            OrthStage said, MethodJobHandler.Target target, Method method, UnaryOperator<String> texts) {
        String owner = "@OrthStage on " + MethodJobHandler.describe(method);
        String pipeline = texts.apply(said.pipeline());
        String stage = texts.apply(said.stage());
        String queue = said.queue().isEmpty() ? queueOf(pipeline, stage, owner) : texts.apply(said.queue());
        QueueWorker worker = QueueWorker.ofStage(owner, queue)
                .concurrency(said.concurrency())
                .timeout(QueueWorker.timeoutOf(said.timeout(), owner, texts));
        return new PipelineWorker(
                worker, pipeline, stage, new MethodStageHandler(target, method), UnaryOperator.identity());
    }

    private static String queueOf(String pipeline, String stage, String owner) {
        if (isBlank(pipeline) || isBlank(stage)) {
            throw new IllegalArgumentException(
                    owner + ": the names of the pipeline and of the stage must not be empty");
        }
        return "pipeline.%s.%s".formatted(pipeline, stage);
    }

    private static boolean isBlank(String text) {
        return text == null || text.isBlank();
    }

    /** How many tasks at once: 1 to 10,000. */
    public PipelineWorker concurrency(int tasks) {
        return with(worker.concurrency(tasks), redaction);
    }

    /** How long a task may take; zero for as long as it wants. */
    public PipelineWorker timeout(Duration value) {
        return with(worker.timeout(value), redaction);
    }

    /** The queue that the pipeline's definition names for the stage, where it is not {@code pipeline.{pipeline}.{stage}}. */
    public PipelineWorker queue(String name) {
        return with(worker.queue(name), redaction);
    }

    /**
     * What takes out of texts what is nobody's business, before they leave the process: steps, results, and the messages and stacks of
     * what the handler throws. Lines that the handler writes to its log itself it passes through this, or not, itself.
     */
    public PipelineWorker redact(UnaryOperator<String> texts) {
        return with(worker, Objects.requireNonNull(texts, "texts"));
    }

    private PipelineWorker with(QueueWorker changed, UnaryOperator<String> texts) {
        return new PipelineWorker(changed, pipeline, stage, handler, texts);
    }

    public String pipeline() {
        return pipeline;
    }

    public String stage() {
        return stage;
    }

    public String queue() {
        return worker.queue();
    }

    public int concurrency() {
        return worker.concurrency();
    }

    /** Zero if there is none. */
    public Duration timeout() {
        return worker.timeout();
    }

    StageQueue stageQueue() {
        return new StageQueue(worker.queue(), pipeline, stage, handler, redaction, concurrency(), timeout());
    }

    /** What has it work on the stage. */
    @Override
    public String toString() {
        return worker.toString();
    }
}
