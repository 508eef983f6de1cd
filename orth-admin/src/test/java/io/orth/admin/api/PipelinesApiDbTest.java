package io.orth.admin.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.admin.api.SecuredClient.Answer;
import io.orth.protocol.TaskChild;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Pipelines as users and executors call them, with valid and hostile requests. */
@Tag("must-pipelines")
class PipelinesApiDbTest {

    @RegisterExtension
    static final AdminServer admin = new AdminServer();

    private final String name = "p-" + UUID.randomUUID();
    private final String path = "/api/pipelines/" + name;
    private SecuredClient api;
    private WireExecutor executor;

    @BeforeEach
    void setUp() {
        api = admin.api();
        executor = new WireExecutor(admin, "http://127.0.0.1:9999/");
        Answer put = api.put(path, """
                {"description":"books","stages":[{"name":"courses","handler":"courses","backoff":{"initialDelay":"PT0.01S"}},
                 {"name":"chapters","handler":"chapters","tolerance":"50%"}]}
                """);
        assertThat(put.status()).as(put.body()).isEqualTo(201);
    }

    @AfterEach
    void leave() {
        executor.close();
    }

    @Test
    void runsPipelineOverTheWireToItsEnd() {
        Answer submitted = api.post(path + "/runs", """
                {"scope":{"targets":[{"targetType":"course","targetId":"math","params":{"n":1},"meta":{"language":"en"}}]},
                 "options":{"force":true}}
                """);
        assertThat(submitted.status()).as(submitted.body()).isEqualTo(202);
        String run = submitted.json().path("rootJobId").asString();
        String trace = submitted.headers().firstValue("Trace-Id").orElseThrow();
        assertThat(submitted.json().path("traceId").asString()).isEqualTo(trace);

        WireExecutor.Begun course = executor.begin(name, "courses");
        assertThat(course.task().targetId()).isEqualTo("math");
        assertThat(course.task().options()).isEqualTo("{\"force\": true}");
        assertThat(course.task().traceId()).isEqualTo(trace);
        executor.step(course, "{\"half\":true}");
        executor.content(course, "course/math", 100);
        executor.finish(course, new TaskChild("chapter", "one", null, Map.of()));
        executor.finish(executor.begin(name, "chapters"));

        await().atMost(Duration.ofSeconds(30))
                .until(() -> run(run).path("status").asString().equals("COMPLETED"));
        assertThat(run(run).path("progress").asInt()).isEqualTo(100);
        assertThat(run(run).path("stages").get(1).path("completed").asInt()).isEqualTo(1);
        assertThat(items("/api/pipeline-runs/%s/tasks?stage=chapters".formatted(run))
                        .get(0)
                        .path("parentJobId")
                        .asString())
                .isEqualTo(Long.toString(course.taskId()));
        assertThat(items("/api/pipeline-runs/%s/tasks?language=en".formatted(run)))
                .hasSize(1);
        assertThat(items("/api/pipeline-runs/%s/content?status=ready".formatted(run)))
                .hasSize(1);
        assertThat(items("/api/pipeline-runs/%s/execution-log?taskId=%d".formatted(run, course.taskId())))
                .extracting(line -> line.path("phase").asString())
                .containsExactly("start", "step", "summary");
        assertThat(items("/api/pipeline-runs/%s/transitions".formatted(run))).hasSize(3);
        assertThat(items("/api/pipeline-tasks/%d/transitions".formatted(course.taskId())))
                .hasSize(4);
        JsonNode postMortem =
                api.get("/api/pipeline-runs/%s/post-mortem".formatted(run)).json();
        assertThat(postMortem.path("traceId").asString()).isEqualTo(trace);
        assertThat(postMortem.path("content")).hasSize(1);
        assertThat(postMortem.path("truncated").asBoolean()).isFalse();
        assertThat(items("/api/pipeline-runs?pipeline=" + name)).hasSize(1);
    }

    @Test
    void onlyAdminsSubmitAndRejectionsAreAudited() {
        SecuredClient operator = admin.anonymous().bearer(tokenOf("OPERATOR"));
        long before = audited("POST /api/hydrateAll", 403);

        assertThat(operator.post("/api/hydrateAll", "{}").status()).isEqualTo(403);
        assertThat(operator.post(path + "/runs", "{}").status()).isEqualTo(403);
        assertThat(admin.anonymous().post(path + "/runs", "{}").status()).isEqualTo(401);
        assertThat(admin.anonymous().post("/api/hydrateAll", "{}").status()).isEqualTo(401);

        assertThat(audited("POST /api/hydrateAll", 403)).isEqualTo(before + 1);
        assertThat(items("/api/pipeline-runs?pipeline=" + name)).isEmpty();
    }

    private long audited(String action, int status) {
        return admin.jdbc()
                .sql("select count(*) from orth_audit where action = :action and outcome = :status")
                .param("action", action)
                .param("status", status)
                .query(Long.class)
                .single();
    }

    private String tokenOf(String role) {
        return api.post("/api/tokens", "{\"name\":\"%s\",\"role\":\"%s\"}".formatted(UUID.randomUUID(), role))
                .json()
                .path("token")
                .asString();
    }

    @Test
    void aDryRunStartsNothing() {
        Answer answer = api.post(path + "/runs", "{\"dryRun\":true}");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().path("rootJobId").isNull()).isTrue();
        assertThat(answer.json().path("estimate").path("basis").asString()).isEqualTo("NONE");
        assertThat(items("/api/pipeline-runs?pipeline=" + name)).isEmpty();
    }

    @Test
    void versionsDefinitionsInJsonAndYaml() {
        String yaml = api.get(path + "?format=yaml").body();
        assertThat(yaml).contains("tolerance: 50%").contains("handler: chapters");

        Answer again = yaml().put(path, yaml);
        assertThat(again.status()).as(again.body()).isEqualTo(200);
        assertThat(again.json().path("version").asInt()).isEqualTo(1);
        Answer changed = yaml().put(path, yaml.replace("50%", "10%"));
        assertThat(changed.json().path("version").asInt()).isEqualTo(2);
        assertThat(items(path + "/versions")).hasSize(2);
        Answer late = api.put(path, "{\"version\":1,\"stages\":[{\"name\":\"a\",\"handler\":\"h\"}]}");
        assertThat(late.status()).isEqualTo(412);
    }

    @Test
    void showsPausesOfStagePipelineAndAll() {
        assertThat(api.post(path + "/pause", null).json().path("paused").asBoolean())
                .isTrue();
        assertThat(api.post(path + "/resume", null).json().path("paused").asBoolean())
                .isFalse();
        Answer stage = api.post(path + "/stages/chapters/pause", null);
        assertThat(stage.json().path("stages").get(1).path("paused").asBoolean())
                .isTrue();
        assertThat(api.post(path + "/stages/nothing/pause", null).status()).isEqualTo(404);
        api.post("/api/pipelines/pause", null);
        assertThat(api.get("/api/pipelines").json().path("paused").asBoolean()).isTrue();
        api.post("/api/pipelines/resume", null);
        assertThat(api.get("/api/pipelines").json().path("paused").asBoolean()).isFalse();
    }

    @Test
    void aRunIsCancelledOnceAndReconciledOnDemand() {
        String run = api.post(path + "/runs", "{}").json().path("rootJobId").asString();
        JsonNode would = api.post("/api/pipelines/reconcile", "{\"rootJobId\":\"%s\"}".formatted(run))
                .json();
        assertThat(would.path("dryRun").asBoolean()).isTrue();

        Answer cancelled = api.post("/api/pipeline-runs/%s/cancel".formatted(run), "{\"reason\":\"enough\"}");

        assertThat(cancelled.json().path("status").asString()).isEqualTo("CANCELLED");
        assertThat(api.post("/api/pipeline-runs/%s/cancel".formatted(run), null).status())
                .isEqualTo(409);
        assertThat(api.post("/api/pipeline-runs/%s/retry".formatted(run), null).status())
                .isEqualTo(409);
        await().atMost(Duration.ofSeconds(30)).until(() -> api.delete(path).status() == 204);
        assertThat(run(run).path("pipeline").asString()).isEqualTo(name);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}|stages",
                "{\"stages\":[]}|stages",
                "{\"stages\":[null]}|stages[0]",
                "{\"stages\":[{\"handler\":\"h\"}]}|stages[0].name",
                "{\"stages\":[{\"name\":\"a\"}]}|stages[0].handler",
                "{\"stages\":[{\"name\":\"a\",\"handler\":\"h\",\"tolerance\":\"some\"}]}|stages[0].tolerance",
                "{\"stages\":[{\"name\":\"a\",\"handler\":\"h\",\"maxAttempts\":0}]}|stages[0].maxAttempts",
                "{\"stages\":[{\"name\":\"a\",\"handler\":\"h\",\"webhook\":\"none\"}]}|stages[0].webhook",
                "{\"stages\":[{\"name\":\"a\",\"handler\":\"h\",\"queue\":\"a b\"}]}|stages[0].queue",
                "{\"stages\":[{\"name\":\"a\",\"handler\":\"h\"},{\"name\":\"a\",\"handler\":\"h\"}]}|stages[1].name"
            })
    void rejectsBadDefinitionByFieldName(String body, String field) {
        Answer answer = api.put("/api/pipelines/bad-" + UUID.randomUUID(), body);

        assertThat(answer.status()).as(answer.body()).isEqualTo(400);
        assertThat(answer.body()).contains('"' + field + '"');
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"scope\":[]}|scope",
                "{\"scope\":{\"targets\":[]}}|scope.targets",
                "{\"scope\":{\"targets\":[{\"targetId\":\"x\"}]}}|scope.targets[0].targetType",
                "{\"scope\":{\"targets\":[{\"targetType\":\"c\"}]}}|scope.targets[0].targetId",
                "{\"options\":3}|options"
            })
    void rejectsBadSubmissionByFieldName(String body, String field) {
        Answer answer = api.post(path + "/runs", body);

        assertThat(answer.status()).as(answer.body()).isEqualTo(400);
        assertThat(answer.body()).contains('"' + field + '"');
    }

    @Test
    @Tag("must-first")
    void rejectsDefinitionThatRepeatsItself() {
        Answer refused = yaml().put(path, "stages: &s [*s]");

        assertThat(refused.status()).as(refused.body()).isEqualTo(400);
        assertThat(refused.json().path("detail").asString()).contains("line 1", "alias s");
    }

    // --- words of these tests

    private static SecuredClient yaml() {
        return admin.api().header("Content-Type", "application/yaml");
    }

    private JsonNode run(String id) {
        return api.get("/api/pipeline-runs/" + id).json();
    }

    private List<JsonNode> items(String address) {
        return api.get(address).json().path("items").valueStream().toList();
    }
}
