package io.orth.executor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.protocol.ClaimedMessage;
import io.orth.protocol.ClaimedTask;
import io.orth.protocol.Codes;
import io.orth.protocol.MessageResult;
import io.orth.protocol.TaskChild;
import io.orth.protocol.TaskContent;
import io.orth.protocol.TaskOutcome;
import io.orth.protocol.TaskSteps;
import io.orth.protocol.TaskVerdict;
import io.orth.testkit.FakeQueues;
import io.orth.testkit.FakeTasks;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.MDC;

/** An executor that works on stages of pipelines, over HTTP. */
@Tag("must-pipelines")
@Timeout(60)
class ExecutorStagesTest {

    private static final String QUEUE = "pipeline.books.pages";

    @TempDir
    Path directory;

    record Page(int number, String title) {}

    private final AtomicInteger executions = new AtomicInteger();
    private final Semaphore permits = new Semaphore(0);
    private ExecutorRoom room;
    private FakeQueues queues;
    private FakeTasks tasks;
    private OrthExecutor executor;

    @BeforeEach
    void open() {
        room = new ExecutorRoom(directory);
        queues = room.admin.queues();
        tasks = room.admin.tasks();
    }

    @AfterEach
    void close() {
        permits.release(100_000);
        tasks.letGo();
        if (executor != null) {
            executor.stop(Duration.ofSeconds(5));
        }
        room.admin.close();
    }

    // --- one task

    @Test
    @Tag("must-kernel")
    void reportsTaskOutcomeWithMessageResult() {
        start(worker(task -> {
            executions.incrementAndGet();
            assertThat(task.params(Page.class)).isEqualTo(new Page(7, "Sets"));
            assertThat(task.targetType() + task.targetId() + task.meta()).isEqualTo("pagest-1{language=en}");
            return Map.of("words", 120);
        }));

        ClaimedMessage message = tasks.send("books", "pages", "{\"number\":7,\"title\":\"Sets\"}");

        MessageResult result = queues.awaitResult(message.id());
        assertThat(result.code()).isEqualTo(Codes.SUCCESS);
        assertThat(result.task()).isEqualTo(new TaskOutcome("{\"words\":120}", List.of(), null));
        assertThat(executions).hasValue(1);
    }

    @Test
    void reportsChildrenAndStepsAndEachContentOnce() throws Exception {
        AtomicReference<List<Boolean>> said = new AtomicReference<>();
        start(worker(task -> {
            boolean first = task.content("page/1/en", 812);
            boolean again = task.content("page/1/en", 812);
            boolean made = task.content("page/1/de", () -> 900);
            boolean madeAgain = task.content("page/1/de", () -> {
                throw new IllegalStateException("it is there");
            });
            said.set(List.of(first, again, made, madeAgain));
            task.step("half way");
            task.step(Map.of("asked", 3));
            task.child("line", "l-1", new Page(1, "One"));
            task.child("line", "l-2");
            task.child("line", "l-1", new Page(2, "Two"));
            return null;
        }));

        long logId = tasks.send("books", "pages", null).logId();

        assertThat(tasks.awaitResult(1).task().children())
                .containsExactly(
                        new TaskChild("line", "l-1", "{\"number\":1,\"title\":\"One\"}", Map.of("language", "en")),
                        new TaskChild("line", "l-2", null, Map.of("language", "en")));
        assertThat(said.get()).containsExactly(true, false, true, false);
        assertThat(tasks.content())
                .containsExactly(
                        new TaskContent.Item(1, logId, "page/1/en", 812, null),
                        new TaskContent.Item(1, logId, "page/1/de", 900, null));
        assertThat(tasks.steps())
                .extracting(TaskSteps.Item::payload)
                .containsExactly("{\"text\":\"half way\"}", "{\"asked\":3}");
    }

    @Test
    void furtherAttemptKnowsContentOfEarlierAttempts() {
        AtomicInteger made = new AtomicInteger();
        start(worker(task -> {
            task.content("a", made::incrementAndGet);
            task.content("b", made::incrementAndGet);
            return null;
        }));

        tasks.send(QUEUE, task(5, 2, "books", List.of("a")));

        tasks.awaitResult(5);
        assertThat(made).hasValue(1);
        assertThat(tasks.content()).extracting(TaskContent.Item::ref).containsExactly("b");
    }

    @Test
    void exposesTraceAndRootInContextAndLog() {
        AtomicReference<String> seen = new AtomicReference<>();
        start(worker(task -> {
            OrthJobContext context = OrthJobContext.current().orElseThrow();
            seen.set("%s %s %s | %s %s %s | %s"
                    .formatted(
                            MDC.get("rootJobId"),
                            MDC.get("taskId"),
                            MDC.get("traceId"),
                            task.rootJobId(),
                            context.task().orElseThrow() == task,
                            context.traceId(),
                            task.traceparent()));
            return null;
        }));

        tasks.send("books", "pages", null);

        tasks.awaitResult(1);
        String trace = "4bf92f3577b34da6a3ce929d0e0e4736";
        assertThat(seen.get())
                .isEqualTo("1000 1 %s | 1000 true %s | 00-%s-00f067aa0ba902b7-01".formatted(trace, trace, trace));
    }

    // --- how it fails

    @Test
    void failsAttemptAccordingToThrownException() {
        start(worker(task -> {
            switch (task.params()) {
                case "\"good\"" -> throw new FailForGoodException("no such book");
                case "\"later\"" -> throw new RetryAfterException(Duration.ofSeconds(60), "busy");
                case "\"large\"" -> {
                    return "x".repeat(8_200);
                }
                case "\"child\"" -> task.child("no spaces", "1");
                default -> throw new IllegalStateException("no luck");
            }
            return null;
        }));
        for (String params : List.of("\"now\"", "\"good\"", "\"later\"", "\"large\"", "\"child\"")) {
            tasks.send("books", "pages", params);
        }

        queues.awaitResults(5);

        assertThat(queues.results()).allMatch(result -> result.code() == Codes.FAIL);
        assertThat(outcomeOf(1)).isEqualTo("FAILED HANDLER_FAILED null");
        assertThat(tasks.awaitResult(1).task().error().message()).isEqualTo("java.lang.IllegalStateException: no luck");
        assertThat(tasks.awaitResult(1).task().error().detail()).contains("ExecutorStagesTest");
        assertThat(outcomeOf(2)).isEqualTo("PERMANENT FAILED_FOR_GOOD null");
        assertThat(outcomeOf(3)).isEqualTo("FAILED RETRY_LATER 60000");
        assertThat(outcomeOf(4)).isEqualTo("PERMANENT RESULT_TOO_LARGE null");
        assertThat(tasks.awaitResult(4).task().error().message())
                .contains("the result has 8202 bytes as JSON, at most 8192");
        assertThat(outcomeOf(5)).isEqualTo("PERMANENT BAD_CHILD null");
    }

    @Test
    void exceptionOverridesReportedResult() {
        start(worker(task -> {
            OrthJobHelper.handleSuccess("all is well");
            throw new IllegalStateException("no luck");
        }));

        tasks.send("books", "pages", null);

        assertThat(tasks.awaitResult(1).code()).isEqualTo(Codes.FAIL);
    }

    @Test
    void invalidParametersFailTaskWithoutRetry() {
        start(worker(task -> task.params(Page.class).number()));

        tasks.send("books", "pages", "{\"number\":\"seven\"}");

        assertThat(outcomeOf(1)).isEqualTo("PERMANENT BAD_PARAMS null");
    }

    @Test
    void interruptsTaskAfterTimeout() {
        CountDownLatch interrupted = new CountDownLatch(1);
        start(worker(task -> {
                    executions.incrementAndGet();
                    try {
                        permits.acquire();
                    } finally {
                        interrupted.countDown();
                    }
                    return null;
                })
                .timeout(Duration.ofMillis(100)));

        int sent = 0;
        do {
            // On a busy machine the time may be over before the handler is called.
            ClaimedMessage message = tasks.send("books", "pages", null);
            sent++;
            assertThat(queues.awaitResult(message.id()).code()).isEqualTo(Codes.TIMEOUT);
            assertThat(outcomeOf(sent)).isEqualTo("FAILED TIMEOUT null");
        } while (executions.get() == 0 && sent < 20);
        await().until(() -> interrupted.getCount() == 0);
    }

    @Test
    void nonTaskMessageFailsWithoutRetry() {
        start(worker(this::count));

        ClaimedMessage message = queues.push(QUEUE, "{}");

        assertThat(queues.awaitResult(message.id()))
                .extracting("code", "forGood")
                .containsExactly(Codes.FAIL, true);
    }

    @Test
    void failsTaskOfAnotherStageWithNoHandler() {
        start(worker(this::count));

        tasks.send(QUEUE, task(5, 1, "films", List.of()));

        assertThat(outcomeOf(5)).isEqualTo("FAILED NO_HANDLER null");
        assertThat(executions).hasValue(0);
    }

    // --- finished tasks

    @Test
    void interruptsCancelledTaskAtItsNextReport() throws Exception {
        CountDownLatch ended = new CountDownLatch(1);
        AtomicReference<String> how = new AtomicReference<>();
        start(worker(task -> {
            Thread helper = new Thread(() -> {
                try {
                    task.step("from a helper");
                } catch (TaskOverException e) {
                    how.set(e.getMessage());
                }
            });
            helper.start();
            try {
                permits.acquire();
            } finally {
                ended.countDown();
            }
            return null;
        }));
        tasks.over(1, TaskVerdict.CANCELLED);

        ClaimedMessage message = tasks.send("books", "pages", null);

        assertThat(ended.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(queues.awaitResult(message.id()).code()).isEqualTo(Codes.FAIL);
        await().untilAsserted(() -> assertThat(how.get()).isEqualTo("the task was cancelled"));
    }

    @Test
    void interruptsTaskOfRevokedMessage() throws Exception {
        CountDownLatch ended = new CountDownLatch(1);
        start(worker(task -> {
            executions.incrementAndGet();
            try {
                permits.acquire();
            } finally {
                ended.countDown();
            }
            return null;
        }));
        ClaimedMessage message = tasks.send("books", "pages", null);
        await().until(() -> executions.get() == 1);

        room.admin.revoke(message.logId());

        assertThat(ended.await(20, TimeUnit.SECONDS)).isTrue();
        queues.awaitResult(message.id());
    }

    // --- concurrency and failing admins

    @Test
    void resendsLostRequestsAndRunsHandlerOnce() {
        AtomicInteger losses = new AtomicInteger(3);
        tasks.loseAnswersTo(path -> losses.getAndDecrement() > 0);
        start(worker(task -> {
            executions.incrementAndGet();
            task.content("a", 1);
            return null;
        }));

        ClaimedMessage message = tasks.send("books", "pages", null);

        assertThat(queues.awaitResult(message.id()).code()).isEqualTo(Codes.SUCCESS);
        assertThat(executions).hasValue(1);
        assertThat(tasks.content()).hasSize(1);
        assertThat(queues.results()).hasSize(1);
    }

    // --- redaction

    @Test
    void redactsEverythingThatLeavesTheProcess() throws Exception {
        List<String> asked = Collections.synchronizedList(new ArrayList<>());
        start(worker(task -> {
                    task.step("mail to ann@example.org");
                    if (task.params().isEmpty()) {
                        return Map.of("to", List.of("ann@example.org"));
                    }
                    throw new IllegalStateException("no mail to ann@example.org");
                })
                .redact(text -> {
                    asked.add(text);
                    return text.replace("ann@example.org", "[mail]");
                }));
        ClaimedMessage well = tasks.send("books", "pages", null);
        ClaimedMessage badly = tasks.send("books", "pages", "{}");

        assertThat(tasks.awaitResult(1).task().result()).isEqualTo("{\"to\":[\"[mail]\"]}");
        assertThat(tasks.awaitResult(2).task().error().message())
                .isEqualTo("java.lang.IllegalStateException: no mail to [mail]");
        assertThat(tasks.steps()).extracting(TaskSteps.Item::payload).containsOnly("{\"text\":\"mail to [mail]\"}");
        queues.awaitResult(well.id());
        queues.awaitResult(badly.id());
        executor.stop(Duration.ofSeconds(5));
        assertThat(asked).isNotEmpty();
        assertThat(allLogs()).contains("no mail to [mail]").doesNotContain("ann@example.org");
    }

    private String allLogs() throws Exception {
        StringBuilder all = new StringBuilder();
        try (var files = Files.walk(directory)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                all.append(Files.readString(file));
            }
        }
        return all.toString();
    }

    private Object count(PipelineTaskContext task) {
        executions.incrementAndGet();
        return null;
    }

    private String outcomeOf(long taskId) {
        MessageResult result = tasks.awaitResult(taskId);
        return "%s %s %s"
                .formatted(
                        result.forGood() ? "PERMANENT" : "FAILED",
                        result.task().error().code(),
                        result.retryAfterMillis());
    }

    private static ClaimedTask task(long id, int attempt, String pipeline, List<String> content) {
        return new ClaimedTask(
                id, attempt, 3, 1, pipeline, "pages", "pages", "page", "1", null, Map.of(), null, null, "ann", "t",
                content);
    }

    private static PipelineWorker worker(StageHandler handler) {
        return PipelineWorker.of("books", "pages", handler);
    }

    private void start(PipelineWorker worker) {
        executor = OrthExecutor.create(
                        room.options().build(),
                        HandlerRegistry.builder().addStage(worker).build())
                .start();
    }
}
