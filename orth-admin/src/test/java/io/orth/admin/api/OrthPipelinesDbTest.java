package io.orth.admin.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.orth.admin.pipeline.TaskResult;
import io.orth.client.Backoff;
import io.orth.client.OrthClient;
import io.orth.client.OrthClientException;
import io.orth.client.OrthPipelines;
import io.orth.client.OutboxInfo;
import io.orth.client.PipelineDefinition;
import io.orth.client.PipelineInfo;
import io.orth.client.PipelineRunInfo;
import io.orth.client.PipelineTaskInfo;
import io.orth.client.Reconciliation;
import io.orth.client.Stage;
import io.orth.client.Submission;
import io.orth.client.SubmittedRun;
import io.orth.client.Target;
import io.orth.protocol.TaskChild;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Pipelines by the client that applications and the command line use, against a real admin. */
@Tag("must-pipelines")
class OrthPipelinesDbTest {

    @RegisterExtension
    static final AdminServer admin = new AdminServer();

    private static final PipelineDefinition BOOKS = PipelineDefinition.of(
                    Stage.of("courses", "courses").maxAttempts(1),
                    Stage.of("chapters", "chapters")
                            .maxAttempts(5)
                            .backoff(new Backoff(Duration.ofNanos(5_000_001), 1.5, Duration.ofMinutes(10)))
                            .concurrency(20)
                            .tolerance("50%"))
            .description("books");

    private final String name = "p-" + UUID.randomUUID();
    private OrthPipelines pipelines;
    private WireExecutor executor;

    @BeforeEach
    void setUp() {
        pipelines = OrthClient.builder()
                .admins(admin.url().toString())
                .token(admin.apiToken())
                .timeout(Duration.ofSeconds(30))
                .build()
                .pipelines();
        executor = new WireExecutor(admin, "http://127.0.0.1:9999/");
        pipelines.define(name, BOOKS);
    }

    @AfterEach
    void leave() {
        executor.close();
    }

    @Test
    void repeatedDefinitionKeepsItsVersion() {
        PipelineInfo again = pipelines.define(name, BOOKS);
        PipelineInfo changed = pipelines.define(name, BOOKS.description("more books"));

        assertThat(again.version()).isEqualTo(1);
        assertThat(changed.version()).isEqualTo(2);
        assertThat(changed.stages())
                .containsExactly(
                        new PipelineInfo.StageInfo(
                                "courses",
                                "courses",
                                "pipeline.%s.courses".formatted(name),
                                null,
                                1,
                                new Backoff(Duration.ofSeconds(1), 2, Duration.ofHours(1)),
                                null,
                                "ALL",
                                false),
                        new PipelineInfo.StageInfo(
                                "chapters",
                                "chapters",
                                "pipeline.%s.chapters".formatted(name),
                                null,
                                5,
                                new Backoff(Duration.ofMillis(5), 1.5, Duration.ofMinutes(10)),
                                20,
                                "50%",
                                false));
        assertThat(pipelines.get(name)).isEqualTo(changed);
        assertThat(pipelines.list().items()).contains(changed);
    }

    @Test
    void codeAndFileMeanTheSame() {
        String yaml =
                admin.api().get("/api/pipelines/%s?format=yaml".formatted(name)).body();

        assertThat(pipelines.defineYaml(name, yaml).version()).isEqualTo(1);
        assertThatThrownBy(() -> pipelines.defineYaml(name, "stages: [{name: a}]"))
                .isInstanceOfSatisfying(
                        OrthClientException.class,
                        refused -> assertThat(refused.fields())
                                .extracting(OrthClientException.FieldError::field)
                                .containsExactly("stages[0].handler"));
    }

    /** A stricter admin would reject this. */
    @Test
    void adminAcceptsEverythingTheClientAccepts() {
        String other = "n".repeat(28) + UUID.randomUUID();
        PipelineInfo defined = pipelines.define(
                other,
                PipelineDefinition.of(IntStream.range(0, 20)
                                .mapToObj(i -> Stage.of("s".repeat(62) + i / 10 + i % 10, "h".repeat(200))
                                        .queue("q".repeat(36) + i / 10 + i % 10 + UUID.randomUUID())
                                        .maxAttempts(100)
                                        .concurrency(1_000_000)
                                        .tolerance("999999999"))
                                .toList())
                        .description("d".repeat(1_000)));
        SubmittedRun run = pipelines.submit(
                other,
                Submission.of(IntStream.range(0, 1_000)
                                .mapToObj(i -> Target.of("t".repeat(64), i == 0 ? "i".repeat(200) : "i" + i))
                                .toList())
                        .meta("m".repeat(64), "v".repeat(256))
                        .key("k".repeat(150) + " ~!" + UUID.randomUUID()));

        assertThat(defined.stages()).hasSize(20);
        assertThat(pipelines.tasks(run.rootJobId(), null, null, 500, null).items())
                .hasSize(500);
        pipelines.cancel(run.rootJobId(), "it was only tried");
    }

    @Test
    void runCompletesAfterSubmission() {
        assertThat(pipelines.dryRun(name, Submission.of()).rootJobId()).isNull();
        Submission submission = Submission.of(
                        Target.of("course", "math").params(Map.of("n", 1)).meta("language", "en"))
                .scope(Map.of("term", "spring"))
                .options(Map.of("force", true))
                .key("spring-" + name);

        SubmittedRun submitted = pipelines.submit(name, submission);
        SubmittedRun again = pipelines.submit(name, submission);

        long run = submitted.rootJobId();
        assertThat(again.rootJobId()).isEqualTo(run);
        assertThat(again.duplicate()).isTrue();
        WireExecutor.Begun course = executor.begin(name, "courses");
        assertThat(course.task().targetId()).isEqualTo("math");
        executor.finish(course, new TaskChild("chapter", "one", null, Map.of()));
        executor.finish(executor.begin(name, "chapters"));
        PipelineRunInfo over = awaitOver(run);
        assertThat(over.status()).isEqualTo("COMPLETED");
        assertThat(over.progress()).isEqualTo(100);
        assertThat(over.scope()).contains("\"term\":\"spring\"", "\"targetId\":\"math\"");
        assertThat(over.options()).isEqualTo("{\"force\":true}");
        assertThat(pipelines.runs(name, "COMPLETED", 10, null).items())
                .extracting(PipelineRunInfo::id)
                .containsExactly(run);
        PipelineTaskInfo chapter =
                pipelines.tasks(run, "chapters", "COMPLETED", 10, null).items().get(0);
        assertThat(chapter.parentJobId()).isEqualTo(course.taskId());
        assertThat(chapter.result()).isEqualTo("{}");
        assertThat(pipelines.postMortem(run)).startsWith("{").contains("\"executionLog\"", over.traceId());
    }

    @Test
    void failedTasksAreRetriedAndCounted() {
        long run = pipelines
                .submit(name, Submission.of(Target.of("course", "math"), Target.of("course", "art")))
                .rootJobId();
        WireExecutor.Begun first = executor.begin(name, "courses");
        executor.fail(first, TaskResult.Outcome.PERMANENT);
        executor.fail(executor.begin(name, "courses"), TaskResult.Outcome.PERMANENT);
        assertThat(awaitOver(run).status()).isEqualTo("FAILED");
        assertThat(pipelines.tasks(run, null, "FAILED", 10, null).items())
                .extracting(PipelineTaskInfo::error)
                .containsOnly(new PipelineTaskInfo.Problem("NO_LUCK", "it did not work"));

        assertThat(pipelines.retryTasks(run, List.of(first.taskId(), 1L)).tasks())
                .isEqualTo(1);
        executor.fail(executor.begin(name, "courses"), TaskResult.Outcome.PERMANENT);
        assertThat(awaitOver(run).status()).isEqualTo("FAILED");
        assertThat(pipelines.retryStage(run, "courses").tasks()).isEqualTo(2);
        executor.fail(executor.begin(name, "courses"), TaskResult.Outcome.PERMANENT);
        executor.fail(executor.begin(name, "courses"), TaskResult.Outcome.PERMANENT);
        assertThat(awaitOver(run).status()).isEqualTo("FAILED");
        assertThat(pipelines.retry(run).tasks()).isEqualTo(2);
        executor.finish(executor.begin(name, "courses"));
        executor.finish(executor.begin(name, "courses"));

        assertThat(awaitOver(run).status()).isEqualTo("COMPLETED");
    }

    @Test
    void aRunIsReconciledAndCancelled() {
        long run = pipelines.submit(name, Submission.of()).rootJobId();

        Reconciliation would = pipelines.reconcile(run);
        Reconciliation done = pipelines.reconcile(run, false);
        PipelineRunInfo cancelled = pipelines.cancel(run, "enough");

        assertThat(would.dryRun()).isTrue();
        assertThat(done.dryRun()).isFalse();
        assertThat(done.rootJobId()).isEqualTo(run);
        assertThat(cancelled.status()).isEqualTo("CANCELLED");
        assertThat(cancelled.stages().get(0).cancelled()
                        + cancelled.stages().get(0).open())
                .isEqualTo(1);
        assertThatThrownBy(() -> pipelines.cancel(run, null))
                .isInstanceOfSatisfying(
                        OrthClientException.class,
                        refused -> assertThat(refused.code()).isEqualTo("CONFLICT"));
    }

    @Test
    void pausedPipelinesStartNothingNew() {
        assertThat(pipelines.pauseStage(name, "courses").stages().get(0).paused())
                .isTrue();
        long run = pipelines
                .submit(name, Submission.of(Target.of("course", "math")))
                .rootJobId();
        assertThat(pipelines.run(run).stages().get(0).paused()).isTrue();
        assertThat(pipelines.oldestOpenTasks(500))
                .filteredOn(task -> task.rootJobId() == run)
                .extracting(PipelineTaskInfo::status)
                .containsExactly("PENDING");
        assertThat(pipelines.pause(name).paused()).isTrue();
        pipelines.pauseAll();
        assertThat(pipelines.list().paused()).isTrue();
        pipelines.resumeAll();
        assertThat(pipelines.list().paused()).isFalse();
        assertThat(pipelines.resume(name).paused()).isFalse();
        assertThat(pipelines.resumeStage(name, "courses").stages().get(0).paused())
                .isFalse();

        executor.finish(executor.begin(name, "courses"));
        assertThat(awaitOver(run).status()).isEqualTo("COMPLETED");
    }

    @Test
    void redrivesParkedEntries() {
        pipelines.pause(name);
        long run = pipelines
                .submit(name, Submission.of(Target.of("course", "math"), Target.of("course", "art")))
                .rootJobId();
        admin.jdbc()
                .sql("update orth_outbox set parked_at = now(), last_error = 'no luck' where root_id = :run")
                .param("run", run)
                .update();
        pipelines.resume(name);
        List<Long> parked = pipelines.parked(500, null).items().stream()
                .filter(entry -> entry.rootJobId() == run)
                .filter(entry -> entry.lastError().equals("no luck"))
                .map(OutboxInfo::id)
                .toList();
        assertThat(parked).hasSize(2);

        assertThat(pipelines.redrive(List.of(parked.get(0), 1L))).isEqualTo(1);
        executor.finish(executor.begin(name, "courses"));
        assertThat(pipelines.redriveAll()).isPositive();
        executor.finish(executor.begin(name, "courses"));

        assertThat(awaitOver(run).status()).isEqualTo("COMPLETED");
    }

    @Test
    void anOperatorReconcilesAndNeitherStartsNorStopsAPipeline() {
        String token = admin.api()
                .post("/api/tokens", "{\"name\":\"%s\",\"role\":\"OPERATOR\"}".formatted(UUID.randomUUID()))
                .json()
                .path("token")
                .asString();
        OrthPipelines operator = OrthClient.builder()
                .admins(admin.url().toString())
                .token(token)
                .build()
                .pipelines();

        assertThatThrownBy(() -> operator.submit(name, Submission.of())).hasMessageContaining("role");
        assertThatThrownBy(() -> operator.define(name, BOOKS)).isInstanceOf(OrthClientException.class);
        assertThatThrownBy(() -> operator.pause(name)).hasMessageContaining("role");
        assertThat(operator.redriveAll()).isNotNegative();
    }

    private PipelineRunInfo awaitOver(long run) {
        return await().atMost(Duration.ofSeconds(30)).until(() -> pipelines.run(run), PipelineRunInfo::isOver);
    }
}
