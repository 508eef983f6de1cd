package io.orth.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.orth.testkit.ScriptedAdmin;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests about pipelines, handling of their responses, and input that is rejected before it is sent. */
@Tag("must-pipelines")
class OrthPipelinesTest {

    private static final String PIPELINE = """
            {"name":"books","description":"d","version":3,"paused":true,"updatedBy":"ann","updatedAt":"2030-01-31T12:00:00Z",
             "stages":[{"name":"write","handler":"h","queue":"q","maxAttempts":5,"paused":false,"colour":"red",
                        "backoff":{"initialDelay":"PT1S","multiplier":2.0,"maxDelay":"PT1H"},"concurrency":7,"tolerance":"5%"}]}
            """;
    private static final String SUBMITTED = """
            {"rootJobId":"17","status":"PENDING","pipeline":"books","version":3,"estimate":{"tasks":40,"basis":"LAST_RUN"},
             "traceId":"t","createdAt":"2030-01-31T12:00:00Z","duplicate":false}
            """;
    private static final String RUN = """
            {"id":"17","pipeline":"books","version":3,"status":"FAILED","createdBy":"ann","traceId":"t","progress":50,
             "failure":{"stage":"write","failed":2},"scope":{"a":[1]},"options":{},"meta":{},"retried":2,
             "stages":[{"name":"write","handler":"h","queue":"q","status":"OVER","paused":false,"expected":4,"completed":2,
                        "failed":2,"cancelled":0,"open":0},
                       {"name":"print","status":"WAITING","paused":true,"expected":null,"open":null}]}
            """;
    private static final String TASK = """
            {"id":"5","rootJobId":"17","parentJobId":"4","pipeline":"books","stage":"write","queue":"q","targetType":"page",
             "targetId":"p1","status":"RUNNING","attempts":2,"maxAttempts":3,"lockedAt":"2030-01-31T12:00:00Z","executorId":"9",
             "logId":"8","meta":{"language":"en"},"params":{"n":1},"error":{"code":"TIMEOUT","message":"too long"}}
            """;

    record Options(boolean force) {}

    private ScriptedAdmin admin;
    private OrthPipelines pipelines;

    @BeforeEach
    void start() throws IOException {
        admin = new ScriptedAdmin();
        pipelines = client().pipelines();
    }

    private OrthClient client() {
        return OrthClient.builder()
                .admins(admin.url())
                .token("secret")
                .wait(time -> {})
                .build();
    }

    @AfterEach
    void stop() {
        admin.close();
    }

    private ScriptedAdmin.Call only() {
        assertThat(admin.calls).hasSize(1);
        return admin.calls.get(0);
    }

    // --- definitions

    @Test
    void sendsDefinitionInCodeLikeTheFile() {
        admin.then(201, PIPELINE);

        PipelineInfo made = pipelines.define(
                "books",
                PipelineDefinition.of(
                                Stage.of("plan", "planner").webhook("w").queue("plans"),
                                Stage.of("write", "writer")
                                        .maxAttempts(5)
                                        .backoff(Backoff.fixed(Duration.ofSeconds(5)))
                                        .concurrency(20)
                                        .tolerance("5%"),
                                Stage.of("print", "printer").queue("x").webhook("press"))
                        .description("d"));

        assertThat(only().method()).isEqualTo("PUT");
        assertThat(only().path()).isEqualTo("/api/pipelines/books");
        assertThat(only().type()).isEqualTo("application/json");
        assertThat(only().body())
                .isEqualTo(
                        "{\"description\":\"d\",\"stages\":[{\"name\":\"plan\",\"handler\":\"planner\",\"queue\":\"plans\"},"
                                + "{\"name\":\"write\",\"handler\":\"writer\",\"maxAttempts\":5,"
                                + "\"backoff\":{\"initialDelay\":\"PT5S\",\"multiplier\":1.0,\"maxDelay\":\"PT5S\",\"jitter\":0.0},\"concurrency\":20,\"tolerance\":\"5%\"},"
                                + "{\"name\":\"print\",\"handler\":\"printer\",\"webhook\":\"press\"}]}");
        assertThat(made.version()).isEqualTo(3);
        assertThat(made.paused()).isTrue();
        assertThat(made.stages())
                .containsExactly(new PipelineInfo.StageInfo(
                        "write",
                        "h",
                        "q",
                        null,
                        5,
                        new Backoff(Duration.ofSeconds(1), 2, Duration.ofHours(1)),
                        7,
                        "5%",
                        false));
    }

    @Test
    void repeatsDefinitionAfterLostReply() {
        admin.thenLoseTheAnswer().then(200, PIPELINE);

        pipelines.define("books", PipelineDefinition.of(Stage.of("write", "writer")));

        assertThat(admin.calls).hasSizeGreaterThanOrEqualTo(2);
    }

    @Test
    void aFileIsSentAsItIs() {
        admin.then(200, PIPELINE);

        pipelines.defineYaml("books", "stages: [ä]\n");

        assertThat(only().type()).isEqualTo("application/yaml");
        assertThat(only().body()).isEqualTo("stages: [ä]\n");
    }

    static Stream<Arguments> invalidPipelines() {
        return Stream.of(
                refused("name must be 1 to 64", () -> Stage.of("a b", "h")),
                refused("handler is missing", () -> Stage.of("a", null)),
                refused("handler must have", () -> Stage.of("a", "h\n")),
                refused("queue must be", () -> Stage.of("a", "h").queue("a b")),
                refused("webhook is missing", () -> Stage.of("a", "h").webhook(" ")),
                refused(
                        "maxAttempts must be between 1 and 100",
                        () -> Stage.of("a", "h").maxAttempts(0)),
                refused("concurrency must be", () -> Stage.of("a", "h").concurrency(0)),
                refused("tolerance must be", () -> Stage.of("a", "h").tolerance("101%")),
                refused("tolerance must be", () -> Stage.of("a", "h").tolerance("some")),
                refused("stages must be 1 to 20", PipelineDefinition::of),
                refused("stages[1].name is taken", () -> PipelineDefinition.of(Stage.of("a", "h"), Stage.of("a", "h"))),
                refused(
                        "description must have",
                        () -> PipelineDefinition.of(Stage.of("a", "h")).description("x".repeat(1_001))));
    }

    static Stream<Arguments> invalidSubmissions() {
        return Stream.of(
                refused("targetType must be", () -> Target.of("a b", "x")),
                refused("targetId is missing", () -> Target.of("a", null)),
                refused("meta must have 1 to 64", () -> Target.of("a", "x").meta("", "v")),
                refused("meta.n must have at most 256", () -> Submission.of().meta("n", "v".repeat(257))),
                refused("key must have", () -> Submission.of().key("ä")),
                refused("key must have", () -> Submission.of().key(" ")),
                refused(
                        "scope.targets must be at most 1000",
                        () -> Submission.of(IntStream.range(0, 1_001)
                                .mapToObj(i -> Target.of("a", "x" + i))
                                .toList())),
                refused("scope must be a JSON object", body(Submission.of().scope(List.of()))),
                refused("scope is not valid JSON", body(Submission.of().scope("{"))),
                refused("scope.a[0] is Infinity", body(Submission.of().scope("{\"a\":[1e999]}"))),
                refused("options must be a JSON object", body(Submission.of().options("3"))),
                refused(
                        "scope.targets are given twice",
                        body(Submission.of(Target.of("a", "x")).scope(Map.of("targets", List.of())))));
    }

    private static Arguments refused(String why, Runnable making) {
        return Arguments.of(why, making);
    }

    private static Runnable body(Submission submission) {
        Function<Object, String> payloads = PayloadJson::write;
        return () -> submission.toBody(payloads);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"invalidPipelines", "invalidSubmissions"})
    void rejectsInvalidInputByName(String why, Runnable making) {
        assertThatThrownBy(making::run)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(why);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a/b", "../jobs", "..", ".", "a:b"})
    void doesNotSendInvalidPipelineName(String name) {
        assertThatThrownBy(() -> pipelines.pause(name)).hasMessageStartingWith("pipeline must be");
        assertThatThrownBy(() -> pipelines.pauseStage("books", name)).hasMessageStartingWith("stage must be");
        assertThat(admin.calls).isEmpty();
    }

    // --- starting

    @Test
    void repeatsSubmissionAfterLostReplyWithSameKey() {
        admin.thenLoseTheAnswer().then(202, SUBMITTED);

        SubmittedRun run = pipelines.submit(
                "books",
                Submission.of(
                                Target.of("book", "b1").params(Map.of("n", 1)).meta("language", "en"),
                                Target.of("book", "b2"))
                        .scope(Map.of("term", "spring"))
                        .options(new Options(true))
                        .meta("why", "new term"));

        assertThat(run)
                .isEqualTo(new SubmittedRun(
                        17L,
                        "PENDING",
                        "books",
                        3,
                        40L,
                        "LAST_RUN",
                        "t",
                        Instant.parse("2030-01-31T12:00:00Z"),
                        false));
        assertThat(admin.calls).hasSize(2);
        assertThat(admin.calls)
                .extracting(ScriptedAdmin.Call::key)
                .containsOnly(admin.calls.get(0).key());
        assertThat(admin.calls.get(0).key()).hasSize(36);
        assertThat(admin.calls.get(1).path()).isEqualTo("/api/pipelines/books/runs");
        assertThat(admin.calls.get(1).body())
                .isEqualTo("{\"scope\":{\"term\":\"spring\",\"targets\":[{\"targetType\":\"book\",\"targetId\":\"b1\","
                        + "\"params\":{\"n\":1},\"meta\":{\"language\":\"en\"}},{\"targetType\":\"book\",\"targetId\":\"b2\"}]},"
                        + "\"options\":{\"force\":true},\"meta\":{\"why\":\"new term\"}}");
    }

    @Test
    void aKeyOfOnesOwnIsSent() {
        admin.then(202, SUBMITTED);

        pipelines.submit("books", Submission.of().key("spring term"));

        assertThat(only().key()).isEqualTo("spring term");
        assertThat(only().body()).isEqualTo("{\"scope\":{},\"options\":{}}");
    }

    @Test
    void aDryRunHasNoRunAndNoKey() {
        admin.then(200, "{\"rootJobId\":null,\"pipeline\":\"books\",\"version\":1,\"estimate\":{\"basis\":\"NONE\"}}");

        SubmittedRun checked = pipelines.dryRun("books", Submission.of().scope("{\"a\":1}"));

        assertThat(checked.rootJobId()).isNull();
        assertThat(checked.estimate()).isNull();
        assertThat(checked.basis()).isEqualTo("NONE");
        assertThat(only().key()).isNull();
        assertThat(only().body()).isEqualTo("{\"scope\":{\"a\":1},\"options\":{},\"dryRun\":true}");
    }

    // --- runs and tasks

    @Test
    void aRunIsReadWithItsStages() {
        admin.then(200, RUN);

        PipelineRunInfo run = pipelines.run(17);

        assertThat(only().path()).isEqualTo("/api/pipeline-runs/17");
        assertThat(run.isOver()).isTrue();
        assertThat(run.failure()).isEqualTo("{\"stage\":\"write\",\"failed\":2}");
        assertThat(run.scope()).isEqualTo("{\"a\":[1]}");
        assertThat(run.stages())
                .extracting(PipelineRunInfo.StageProgress::name, PipelineRunInfo.StageProgress::open)
                .containsExactly(tuple("write", 0L), tuple("print", null));
    }

    @Test
    void listsRunsAndTasksByFilter() {
        admin.then(200, "{\"items\":[" + RUN + "],\"next\":\"9\"}").then(200, "{\"items\":[" + TASK + "]}");

        assertThat(pipelines.runs("books", "FAILED", 10, "20").next()).isEqualTo("9");
        PipelineTaskInfo task =
                pipelines.tasks(17, "write", "RUNNING", 5, null).items().get(0);
        assertThat(pipelines.oldestOpenTasks(50)).hasSize(1);

        assertThat(admin.calls)
                .extracting(ScriptedAdmin.Call::path)
                .containsExactly(
                        "/api/pipeline-runs?pipeline=books&status=FAILED&limit=10&after=20",
                        "/api/pipeline-runs/17/tasks?stage=write&status=RUNNING&limit=5",
                        "/api/pipeline-tasks?limit=50");
        assertThat(task.executorId()).isEqualTo(9);
        assertThat(task.params()).isEqualTo("{\"n\":1}");
        assertThat(task.result()).isNull();
        assertThat(task.error()).isEqualTo(new PipelineTaskInfo.Problem("TIMEOUT", "too long"));
    }

    @Test
    void returnsPostMortemUnchanged() {
        admin.then(200, "{ \"run\" : {},\n \"new\": 1.50 }");

        assertThat(pipelines.postMortem(17)).isEqualTo("{ \"run\" : {},\n \"new\": 1.50 }");
        assertThat(only().path()).isEqualTo("/api/pipeline-runs/17/post-mortem");
    }

    // --- decisions

    @Test
    @Tag("must-kernel")
    void setsResultAndLinksOfRun() {
        admin.then(200, RUN.replace("\"meta\":{}", """
                "result":{"force":true},"links":[{"name":"Book","url":"https://a.example/b"}]"""));
        RunLink link = new RunLink("Book", "https://a.example/b");

        PipelineRunInfo run = pipelines.setResult(17, new Options(true), List.of(link));

        assertThat(only().method() + " " + only().path()).isEqualTo("PUT /api/pipeline-runs/17/result");
        assertThat(only().body()).isEqualTo("""
                        {"result":{"force":true},"links":[{"name":"Book","url":"https://a.example/b"}]}""");
        assertThat(run.result()).isEqualTo("{\"force\":true}");
        assertThat(run.links()).containsExactly(link);
    }

    @Test
    void failedTasksAreRetriedAllByStageOrById() {
        admin.then(202, RUN);

        assertThat(pipelines.retry(17).tasks()).isEqualTo(2);
        pipelines.retryStage(17, "write");
        pipelines.retryTasks(17, List.of(5L, 6L));

        assertThat(admin.calls).extracting(ScriptedAdmin.Call::path).containsOnly("/api/pipeline-runs/17/retry");
        assertThat(admin.calls)
                .extracting(ScriptedAdmin.Call::body)
                .containsExactly("{}", "{\"stage\":\"write\"}", "{\"taskIds\":[\"5\",\"6\"]}");
    }

    @Test
    void doesNotRepeatNonIdempotentCalls() {
        admin.thenLoseTheAnswer();

        Stream.<Runnable>of(
                        () -> pipelines.cancel(17, "enough"),
                        () -> pipelines.retry(17),
                        () -> pipelines.reconcile(17, false),
                        () -> pipelines.redriveAll())
                .forEach(decision -> assertThatThrownBy(decision::run)
                        .isInstanceOfSatisfying(
                                OrthClientException.class,
                                failed -> assertThat(failed.code()).isEqualTo(OrthClientException.UNREACHABLE)));

        assertThat(admin.calls).hasSize(4);
        assertThat(admin.calls.get(0).body()).isEqualTo("{\"reason\":\"enough\"}");
    }

    @Test
    void reconcileDefaultsToDryRun() {
        admin.then(200, """
                {"rootJobId":"17","dryRun":true,"status":"RUNNING","actions":[{"kind":"RESENT","stage":"write","count":3},
                 {"kind":"RUN_COMPLETED","stage":null,"count":1}]}
                """);

        Reconciliation would = pipelines.reconcile(17);
        pipelines.reconcile(17, false);

        assertThat(would.dryRun()).isTrue();
        assertThat(would.actions())
                .containsExactly(
                        new Reconciliation.Action("RESENT", "write", 3),
                        new Reconciliation.Action("RUN_COMPLETED", null, 1));
        assertThat(admin.calls.get(0).path()).isEqualTo("/api/pipelines/reconcile");
        assertThat(admin.calls.get(0).body()).contains("\"rootJobId\":\"17\"", "\"dryRun\":true");
        assertThat(admin.calls.get(1).body()).contains("\"dryRun\":false");
    }

    @Test
    void everythingAPipelineOrAStageIsPausedAndResumed() {
        admin.then(200, PIPELINE);

        pipelines.pauseAll();
        pipelines.resumeAll();
        pipelines.pause("books");
        pipelines.resume("books");
        pipelines.pauseStage("books", "write");
        pipelines.resumeStage("books", "write");

        assertThat(admin.calls)
                .extracting(call -> call.method() + " " + call.path())
                .containsExactly(
                        "POST /api/pipelines/pause",
                        "POST /api/pipelines/resume",
                        "POST /api/pipelines/books/pause",
                        "POST /api/pipelines/books/resume",
                        "POST /api/pipelines/books/stages/write/pause",
                        "POST /api/pipelines/books/stages/write/resume");
    }

    @Test
    void listsAndRedrivesParkedEntries() {
        admin.then(200, """
                        {"items":[{"id":"3","kind":"WEBHOOK","destination":"press","jobId":"5","rootJobId":"17","attempt":1,
                          "attempts":10,"lastError":"503","createdAt":"2030-01-31T12:00:00Z","parkedAt":"2030-01-31T13:00:00Z"}]}
                        """).then(200, "{\"redriven\":1}");

        assertThat(pipelines.parked(50, null).items())
                .extracting(OutboxInfo::id, OutboxInfo::lastError)
                .containsExactly(tuple(3L, "503"));
        assertThat(pipelines.redrive(List.of(3L))).isEqualTo(1);
        assertThat(pipelines.redriveAll()).isEqualTo(1);

        assertThat(admin.calls)
                .extracting(ScriptedAdmin.Call::body)
                .containsExactly("", "{\"ids\":[\"3\"]}", "{\"all\":true}");
    }

    @Test
    void listsPipelinesWithGlobalPause() {
        admin.then(200, "{\"paused\":true,\"items\":[" + PIPELINE + "]}");

        assertThat(pipelines.list().paused()).isTrue();
        assertThat(pipelines.list().items()).extracting(PipelineInfo::name).containsExactly("books");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"{}", "{\"id\":\"x\",\"status\":\"RUNNING\"}", "{\"id\":\"1\",\"status\":\"A\",\"stages\":7}"})
    void rejectsResponseWithInvalidRun(String answer) {
        admin.then(200, answer);

        assertThatThrownBy(() -> pipelines.run(17))
                .isInstanceOfSatisfying(
                        OrthClientException.class,
                        failed -> assertThat(failed.code()).isEqualTo(OrthClientException.UNREACHABLE));
    }
}
