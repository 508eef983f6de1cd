package io.orth.executor;

import io.orth.executor.internal.pipeline.StageQueue;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * The stage of a pipeline that an executor works on, with its handler and settings. Pass it to
 * {@link HandlerRegistry.Builder#addStage}; {@link OrthStage} creates one for a method. Immutable: each setter returns a new
 * worker.
 *
 * <pre>{@code
 * HandlerRegistry.builder()
 *         .addStage(PipelineWorker.of("hydrateAll", "topics", task -> topics.hydrate(task.targetId()))
 *                 .concurrency(8)
 *                 .timeout(Duration.ofMinutes(2)))
 * }</pre>
 */
public final class PipelineWorker {

    /** The worker of the queue that delivers the tasks; it has no handler. */
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

    /** Creates a worker that processes one task at a time. */
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
     * Creates a worker that calls an annotated method.
     *
     * @param method a method of the target's type
     * @param texts resolves the annotation's texts, for example their placeholders
     * @throws IllegalArgumentException if the method cannot be a worker; the message names the class and the method
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

    /** Sets the maximum number of concurrent tasks: 1 to 10,000. Default: 1. */
    public PipelineWorker concurrency(int tasks) {
        return with(worker.concurrency(tasks), redaction);
    }

    /** Sets the timeout of an attempt; zero means none. */
    public PipelineWorker timeout(Duration value) {
        return with(worker.timeout(value), redaction);
    }

    /** Sets the queue that the pipeline's definition specifies for the stage. Default: {@code pipeline.{pipeline}.{stage}}. */
    public PipelineWorker queue(String name) {
        return with(worker.queue(name), redaction);
    }

    /**
     * Sets a function that redacts sensitive data before it leaves the process: in steps, in results, and in the messages and
     * stack traces of exceptions that the handler throws. Lines that the handler writes to the run's log are not redacted; the
     * handler has to do that itself.
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

    /** Returns the timeout of an attempt; zero means none. */
    public Duration timeout() {
        return worker.timeout();
    }

    StageQueue stageQueue() {
        return new StageQueue(worker.queue(), pipeline, stage, handler, redaction, concurrency(), timeout());
    }

    /** Returns the origin of this worker, such as the annotated method, for error messages. */
    @Override
    public String toString() {
        return worker.toString();
    }
}
