package io.orth.executor.test;

import io.orth.executor.HandlerRegistry;
import io.orth.executor.PipelineWorker;
import io.orth.executor.internal.pipeline.LiveTask;
import io.orth.executor.internal.pipeline.StageQueue;
import io.orth.executor.internal.pipeline.TaskOutcomes;
import io.orth.protocol.ClaimedMessage;
import io.orth.protocol.ClaimedTask;
import io.orth.protocol.TaskOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Runs one attempt at a pipeline task in a unit test, with the same rules as an executor. Uses no network and no admin, and
 * leaves no files behind.
 *
 * <pre>{@code
 * FinishedTask task = TestTask.of(new Hydration(store), "hydrateAll", "topics")
 *         .target("topic", "sets")
 *         .params("{\"title\":\"Sets\"}")
 *         .meta("language", "en")
 *         .execute();
 * }</pre>
 */
public final class TestTask {

    private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");
    private static final long LOG_ID = 1;

    private final StageQueue stage;
    private final Map<String, String> meta = new HashMap<>();
    private final List<String> content = new ArrayList<>();
    private String targetType = "target";
    private String targetId = "1";
    private String params;
    private String scope;
    private String options;
    private int attempt = 1;
    private int maxAttempts = 3;
    private CompletionStage<?> cancellation = new CompletableFuture<>();
    private Duration patience = Duration.ofSeconds(10);

    private TestTask(StageQueue stage) {
        this.stage = stage;
    }

    public static TestTask of(PipelineWorker worker) {
        HandlerRegistry handlers = HandlerRegistry.builder().addStage(worker).build();
        return of(handlers, worker.pipeline(), worker.stage());
    }

    /**
     * Creates a task of a stage for which the registry has a worker. The registry is the one that the application passes to its
     * executor.
     */
    public static TestTask of(HandlerRegistry handlers, String pipeline, String stage) {
        return new TestTask(StageQueue.of(handlers, pipeline, stage)
                .orElseThrow(
                        () -> new IllegalArgumentException("there is no worker for the stage '%s' of '%s', only for %s"
                                .formatted(stage, pipeline, handlers.stages()))));
    }

    /**
     * Creates a task for the {@code @OrthStage} method of this stage.
     *
     * @throws IllegalArgumentException if there is no such method, or if the object could not be registered with an executor
     */
    public static TestTask of(Object workers, String pipeline, String stage) {
        return of(
                HandlerRegistry.builder()
                        .addMethodsOf(workers, text -> text.contains("${") ? "-" : text)
                        .build(),
                pipeline,
                stage);
    }

    /** Sets the target. Default: {@code target} and {@code 1}. */
    public TestTask target(String type, String id) {
        targetType = type;
        targetId = id;
        return this;
    }

    /** Sets the parameters as JSON. Default: none. */
    public TestTask params(String json) {
        params = json;
        return this;
    }

    /** Adds an entry to the task's metadata. Default: none. */
    public TestTask meta(String name, String value) {
        meta.put(name, value);
        return this;
    }

    /** Sets the scope of the pipeline run as JSON. Default: none. */
    public TestTask scope(String json) {
        scope = json;
        return this;
    }

    /** Sets the options of the pipeline run as JSON. Default: none. */
    public TestTask options(String json) {
        options = json;
        return this;
    }

    /** Sets the number of the attempt and the maximum number of attempts. Default: the first of three. */
    public TestTask attempt(int number, int most) {
        attempt = number;
        maxAttempts = most;
        return this;
    }

    /** Adds content recorded by an earlier attempt. Default: none. */
    public TestTask recorded(String ref) {
        content.add(ref);
        return this;
    }

    /** Cancels the run when {@code signal} completes, as the console does. Default: never. */
    public TestTask cancelWhen(CompletionStage<?> signal) {
        cancellation = signal;
        return this;
    }

    /** Sets how long {@link #execute} waits before the test fails. Default: 10 s. */
    public TestTask patience(Duration value) {
        patience = value;
        return this;
    }

    /**
     * Runs the handler and waits until it has finished.
     *
     * @throws AssertionError if that takes longer than {@link #patience}; the message contains the log so far
     */
    public FinishedTask execute() {
        RecordingPort port = new RecordingPort();
        var queue = stage.messageQueue(port);
        try (SoloLane lane = new SoloLane(queue.handler(), patience)) {
            FinishedRun run = lane.run(LOG_ID, NOON, desk -> desk.accept(queue, message()), cancellation);
            TaskOutcome outcome = TaskOutcomes.of((LiveTask) lane.task(), run.result());
            return new FinishedTask(
                    run,
                    outcome.result(),
                    outcome.error() == null ? null : outcome.error().code(),
                    port.content(),
                    port.steps(),
                    outcome.children().stream()
                            .map(child -> new FinishedTask.Child(
                                    child.targetType(), child.targetId(), child.params(), child.meta()))
                            .toList());
        }
    }

    private ClaimedMessage message() {
        ClaimedTask task = new ClaimedTask(
                1,
                attempt,
                maxAttempts,
                1,
                stage.pipeline(),
                stage.stage(),
                null,
                targetType,
                targetId,
                params,
                meta,
                scope,
                options,
                "test",
                "00000000000000000000000000000001",
                content);
        return new ClaimedMessage(1, 1, 1, LOG_ID, NOON.toEpochMilli(), "", NOON.toEpochMilli(), Map.of(), null)
                .with(task);
    }
}
