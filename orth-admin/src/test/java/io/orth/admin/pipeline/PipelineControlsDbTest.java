package io.orth.admin.pipeline;

import static io.orth.admin.pipeline.PipelineFixture.ok;
import static io.orth.admin.pipeline.PipelineFixture.stage;
import static io.orth.admin.pipeline.PipelineFixture.submission;
import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.AdminFixture;
import io.orth.admin.kernel.EntityKind;
import io.orth.admin.registry.Target;
import io.orth.protocol.TaskChild;
import io.orth.runtime.Duty.Pass;
import io.orth.testkit.TestDatabase;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Pausing, limits and rejected input of pipelines. */
@Tag("must-pipelines")
class PipelineControlsDbTest {

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private AdminFixture admin;
    private PipelineFixture given;
    private Target executor;

    @BeforeEach
    void setUp() {
        admin = AdminFixture.onEmptied(db);
        given = admin.pipelines;
        executor = admin.executor(admin.group("workers"), "one", "http://127.0.0.1:9999");
        given.define("books", "courses", "chapters");
    }

    /** A way to pause and resume. */
    private record Switch(String name, Consumer<Pipelines> pause, Consumer<Pipelines> resume) {

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Switch> switches() {
        return Stream.of(
                new Switch("a pipeline", it -> it.pause("books"), it -> it.resume("books")),
                new Switch(
                        "a stage",
                        it -> it.pauseStage("books", "courses", true),
                        it -> it.pauseStage("books", "courses", false)),
                new Switch("everything", it -> it.pauseAll(true), it -> it.pauseAll(false)));
    }

    @ParameterizedTest
    @MethodSource("switches")
    void sendsAndStartsNothingWhilePaused(Switch one) {
        given.submit("books", "math");
        given.dispatch();
        one.pause().accept(given.pipelines);
        given.submit("books", "art");

        assertThat(given.work("courses", executor)).isEmpty();
        one.resume().accept(given.pipelines);
        assertThat(given.work("courses", executor)).hasSize(2);
    }

    @Test
    void pausesOnlyPausedStage() {
        given.define("films", "scenes");
        given.pipelines.pauseStage("books", "courses", true);
        given.submit("books", "math");
        given.submit("films", "dawn");

        assertThat(given.work("scenes", executor)).hasSize(1);
        assertThat(given.outbox.list(false, 0, 10))
                .singleElement()
                .satisfies(entry -> assertThat(entry.destination()).isEqualTo("q.courses"));
    }

    @Test
    void setsAndRemovesConcurrencyOfStageQueue() {
        given.define("films", limited(2), stage("cuts"));
        assertThat(concurrencyOf("q.scenes")).isEqualTo(2);

        given.define("films", limited(3), stage("cuts"));
        assertThat(concurrencyOf("q.scenes")).isEqualTo(3);
        given.submit("films", IntStream.range(0, 9).mapToObj(i -> "s" + i).toArray(String[]::new));
        given.dispatch();
        assertThat(given.receive("scenes", executor, 9)).hasSize(3);

        given.define("films", limited(null), stage("cuts"));
        assertThat(concurrencyOf("q.scenes")).isNull();
        assertThat(given.receive("scenes", executor, 9)).hasSize(6);
    }

    private static Stage limited(Integer concurrency) {
        Stage usual = stage("scenes");
        return new Stage(
                usual.name(), usual.handler(), usual.queue(), null, 3, usual.backoff(), concurrency, usual.tolerance());
    }

    private Integer concurrencyOf(String queue) {
        return admin.queues.queues.get(queue).limits().concurrency();
    }

    @Test
    void runKeepsVersionItStartedWith() {
        long before = given.submit("books", "math");
        given.define("books", "courses", "lessons");
        long after = given.submit("books", "math");

        given.work("courses", executor).forEach(key -> given.finish(executor, ok(key, "one")));
        given.reconcile();

        assertThat(given.runs.get(before).version()).isEqualTo(1);
        assertThat(given.runs.get(after).version()).isEqualTo(2);
        assertThat(given.work("chapters", executor)).hasSize(1);
        assertThat(given.work("lessons", executor)).hasSize(1);
    }

    @Test
    void unchangedDefinitionCreatesNoVersion() {
        assertThat(given.define("books", "courses", "chapters").version()).isEqualTo(1);
        assertThat(given.define("books", "courses").version()).isEqualTo(2);
    }

    @Test
    void concurrentFirstDefinitionsBothSucceed() {
        List<Pipeline> defined = concurrently(() -> given.define("new", "one"), () -> given.define("new", "two"));

        assertThat(defined).extracting(Pipeline::version).containsExactlyInAnyOrder(1, 2);
    }

    @Test
    void concurrentSubmissionsWithOneKeyCreateOneRun() {
        Supplier<PipelineRuns.Submitted> submit = () -> given.runs.submit(submission("books", "key", "math"));

        List<PipelineRuns.Submitted> submitted = concurrently(submit, submit);

        assertThat(submitted)
                .extracting(one -> one.run().id())
                .containsOnly(submitted.get(0).run().id());
        assertThat(submitted).extracting(PipelineRuns.Submitted::duplicate).containsExactlyInAnyOrder(true, false);
    }

    private static <T> List<T> concurrently(Supplier<T> one, Supplier<T> other) {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            List<CompletableFuture<T>> both = Stream.of(one, other)
                    .map(each -> CompletableFuture.supplyAsync(each, threads))
                    .toList();
            return both.stream()
                    .map(each -> each.orTimeout(30, TimeUnit.SECONDS).join())
                    .toList();
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    @Tag("must-kernel")
    void releasedAttemptDoesNotCount() {
        given.submit("books", "math");
        given.dispatch();
        TaskKey key = given.work("courses", executor).get(0);

        given.giveBack(executor, key);

        assertThat(given.journalOf(EntityKind.PIPELINE_TASK, key.taskId()))
                .last()
                .isEqualTo("RUNNING->PENDING RETURNED");
        assertThat(given.work("courses", executor)).extracting(TaskKey::attempt).containsExactly(1);
    }

    static Stream<TaskResult> rejectedResults() {
        return Stream.of(
                TaskResult.ok(0, 1, "\"%s\"".formatted("x".repeat(8_200)), List.of(), 1),
                TaskResult.ok(0, 1, null, children(10_001, "chapter"), 1),
                TaskResult.ok(0, 1, null, children(1, "no such type!"), 1));
    }

    private static List<TaskChild> children(int count, String type) {
        return IntStream.range(0, count)
                .mapToObj(i -> new TaskChild(type, "c" + i, null, Map.of()))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("rejectedResults")
    void invalidResultFailsTaskWithoutRetry(TaskResult result) {
        long run = given.submit("books", "math");
        TaskKey key = given.work("courses", executor).get(0);

        given.finish(
                executor,
                TaskResult.ok(key.taskId(), key.attempt(), result.result(), result.children(), result.runMillis()));
        given.reconcile();

        assertThat(given.tasksOf(run, 0)).containsExactly("math FAILED");
        assertThat(given.tasks.get(key.taskId()).error())
                .containsPattern("RESULT_TOO_LARGE|TOO_MANY_CHILDREN|BAD_CHILD");
        assertThat(given.tasksOf(run, 1)).isEmpty();
    }

    @Test
    void rejectsChildrenOfLastStage() {
        given.define("short", "courses");
        long run = given.submit("short", "math");
        TaskKey key = given.work("courses", executor).get(0);

        given.finish(executor, ok(key, "one"));

        assertThat(given.tasksOf(run, 0)).containsExactly("math FAILED");
        assertThat(given.tasks.get(key.taskId()).error()).contains("NO_NEXT_STAGE");
    }

    @Test
    void dispatchesStagesFairly() {
        for (int i = 0; i < 3; i++) {
            given.submit(
                    "books", IntStream.range(0, 1_000).mapToObj(n -> "t" + n).toArray(String[]::new));
        }
        given.define("films", "scenes");
        given.submit("films", "dawn");

        assertThat(given.dispatcher.run()).isEqualTo(Pass.MORE);

        assertThat(given.receive("scenes", executor, 9)).hasSize(1);
        assertThat(given.receive("courses", executor, 1_000)).hasSizeGreaterThan(100);
    }
}
