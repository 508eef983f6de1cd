package io.orth.admin.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.admin.api.SecuredClient.Answer;
import io.orth.admin.pipeline.TaskResult.Outcome;
import io.orth.protocol.TaskChild;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

/** The calls that the runbook is made of, each as it is made there. */
@Tag("must-pipelines")
@Timeout(120)
class PipelineCallsDbTest {

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
        define(name);
    }

    @AfterEach
    void leave() {
        items("/api/pipeline-runs?pipeline=" + name)
                .forEach(run -> api.post("/api/pipeline-runs/%s/cancel".formatted(text(run, "id")), null));
        executor.close();
    }

    private void define(String pipeline) {
        define(pipeline, "ALWAYS");
    }

    private void define(String pipeline, String tolerance) {
        Answer put = api.put("/api/pipelines/" + pipeline, """
                {"stages":[{"name":"first","handler":"h","tolerance":"%s"},{"name":"last","handler":"h"}]}
                """.formatted(tolerance));
        assertThat(put.status()).as(put.body()).isIn(200, 201);
    }

    private String submit(int targets) {
        List<String> some = new ArrayList<>();
        for (int i = 0; i < targets; i++) {
            some.add("{\"targetType\":\"t\",\"targetId\":\"t-%d\"}".formatted(i));
        }
        Answer submitted = api.post(path + "/runs", "{\"scope\":{\"targets\":[%s]}}".formatted(String.join(",", some)));
        assertThat(submitted.status()).as(submitted.body()).isEqualTo(202);
        return text(submitted.json(), "rootJobId");
    }

    private JsonNode run(String id) {
        return api.get("/api/pipeline-runs/" + id).json();
    }

    private void awaitStatus(String run, String status) {
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(text(run(run), "status")).isEqualTo(status));
    }

    private List<JsonNode> items(String address) {
        return api.get(address).json().path("items").valueStream().toList();
    }

    private static String text(JsonNode json, String field) {
        return json.path(field).asString();
    }

    private static String token(String role, String itsName) {
        return text(
                admin.api()
                        .post("/api/tokens", "{\"name\":\"%s\",\"role\":\"%s\"}".formatted(itsName, role))
                        .json(),
                "token");
    }

    /** Actor, result and trace of the call. */
    private static List<String> audited(String tokenName) {
        return admin.jdbc()
                .sql(
                        "select action || ' ' || outcome || ' ' || trace_id from orth_audit where actor = :actor order by id")
                .param("actor", "admin/" + tokenName)
                .query(String.class)
                .list();
    }

    // --- permissions

    @Test
    void hydrateAllIsAuditedWithCallerAndTrace() {
        define("hydrateAll");
        String who = "hydrator-" + UUID.randomUUID();
        String trace = UUID.randomUUID().toString().replace("-", "");

        Answer accepted = admin.anonymous()
                .bearer(token("ADMIN", who))
                .header("traceparent", "00-%s-00f067aa0ba902b7-01".formatted(trace))
                .post(
                        "/api/hydrateAll",
                        "{\"scope\":{\"targets\":[{\"targetType\":\"course\",\"targetId\":\"math\"}]}}");

        assertThat(accepted.status()).as(accepted.body()).isEqualTo(202);
        String run = text(accepted.json(), "rootJobId");
        assertThat(text(accepted.json(), "pipeline")).isEqualTo("hydrateAll");
        assertThat(text(accepted.json(), "traceId")).isEqualTo(trace);
        assertThat(text(run(run), "createdBy")).isEqualTo("admin/" + who);
        assertThat(text(run(run), "traceId")).isEqualTo(trace);
        assertThat(audited(who)).containsExactly("POST /api/hydrateAll 202 " + trace);
        assertThat(admin.jdbc()
                        .sql("select object || ' ' || detail from orth_audit where actor = :actor")
                        .param("actor", "admin/" + who)
                        .query(String.class)
                        .single())
                .contains(run)
                .endsWith("of hydrateAll");
        api.post("/api/pipeline-runs/%s/cancel".formatted(run), null);
    }

    @Test
    void rejectsAndAuditsSubmissionOfOperator() {
        String who = "operator-" + UUID.randomUUID();

        Answer refused = admin.anonymous().bearer(token("OPERATOR", who)).post(path + "/runs", "{}");

        assertThat(refused.status()).isEqualTo(403);
        assertThat(audited(who)).containsExactly("POST /api/pipelines/{name}/runs 403 " + refused.header("Trace-Id"));
        assertThat(items("/api/pipeline-runs?pipeline=" + name)).isEmpty();
    }

    // --- undelivered entries

    @Test
    void listsAndRedrivesUndeliveredEntries() {
        define(name, "ALL");
        api.post(path + "/pause", null);
        String run = submit(2);
        // Simulates nine attempts: the tenth is the last.
        admin.jdbc()
                .sql("update orth_outbox set destination = 'no such/queue', attempts = 9 where root_id = :root")
                .param("root", Long.parseLong(run))
                .update();
        assertThat(outbox("PENDING", run)).hasSize(2);

        api.post(path + "/resume", null);

        await().atMost(Duration.ofSeconds(30)).until(() -> outbox("PARKED", run).size() == 2);
        assertThat(outbox("PENDING", run)).isEmpty();
        JsonNode parked = outbox("PARKED", run).get(0);
        assertThat(text(parked, "destination")).isEqualTo("no such/queue");
        assertThat(parked.path("attempts").asInt()).isEqualTo(10);
        assertThat(text(parked, "lastError")).contains("queue must be");
        assertThat(text(parked, "parkedAt")).isNotEmpty();
        awaitStatus(run, "FAILED");

        Answer some = api.post("/api/outbox/redrive", "{\"ids\":[\"%s\"]}".formatted(text(parked, "id")));
        assertThat(some.json().path("redriven").asInt()).isEqualTo(1);
        assertThat(executor.begin(name, "first").taskId())
                .isEqualTo(parked.path("jobId").asLong());
        assertThat(outbox("PARKED", run)).hasSize(1);
        assertThat(api.post("/api/outbox/redrive", "{\"all\":true}")
                        .json()
                        .path("redriven")
                        .asInt())
                .isPositive();
        assertThat(executor.begin(name, "first").task().rootJobId()).isEqualTo(Long.parseLong(run));
        assertThat(outbox("PARKED", run)).isEmpty();
        assertThat(text(run(run), "status")).isEqualTo("RUNNING");
        assertThat(api.post("/api/outbox/redrive", "{}").status()).isEqualTo(400);
    }

    private List<JsonNode> outbox(String state, String run) {
        return items("/api/outbox?limit=200&state=" + state).stream()
                .filter(entry -> text(entry, "rootJobId").equals(run))
                .toList();
    }

    // --- stuck tasks

    @Test
    void listsOldestOpenTasksFirst() {
        String run = submit(2);
        WireExecutor.Begun begun = executor.begin(name, "first");
        String other = items("/api/pipeline-runs/%s/tasks?status=PENDING".formatted(run)).stream()
                .map(task -> text(task, "id"))
                .findFirst()
                .orElseThrow();
        admin.jdbc()
                .sql("update orth_pipeline_task set status_at = status_at - interval '1 year' where id = :id")
                .param("id", Long.parseLong(other))
                .update();

        List<JsonNode> stuck = items("/api/pipeline-tasks?limit=2");

        assertThat(text(stuck.get(0), "id")).isEqualTo(other);
        assertThat(text(stuck.get(0), "status")).isEqualTo("PENDING");
        assertThat(stuck.get(0).path("lockedAt").isNull()).isTrue();
        JsonNode one = api.get("/api/pipeline-tasks/" + begun.taskId()).json();
        assertThat(text(one, "rootJobId")).isEqualTo(run);
        assertThat(text(one, "status")).isEqualTo("RUNNING");
        assertThat(text(one, "stage")).isEqualTo("first");
        assertThat(text(one, "queue")).isEqualTo("pipeline.%s.first".formatted(name));
        assertThat(one.path("attempts").asInt()).isEqualTo(1);
        assertThat(text(one, "lockedAt")).isNotEmpty();
        assertThat(text(one, "executorId")).isNotEmpty();
        assertThat(text(one, "updatedAt")).isNotEmpty();
        assertThat(api.get("/api/pipeline-tasks/1").status()).isEqualTo(404);
    }

    @Test
    void reconcileRepairsWhatDryRunReports() {
        // One more than are counted below: where a stage seems to be over, the admin looks again by itself.
        String run = submit(3);
        executor.finish(executor.begin(name, "first"));
        awaitCompleted(run, 1);
        admin.jdbc()
                .sql("update orth_pipeline_progress set failed = 1 where root_id = :root and stage = 0")
                .param("root", Long.parseLong(run))
                .update();

        JsonNode would = reconcile("{\"rootJobId\":\"%s\"}".formatted(run));
        assertThat(would.path("dryRun").asBoolean()).isTrue();
        assertThat(kinds(would)).contains("LOST_COUNTER");
        assertThat(failed(run)).isEqualTo(1);

        JsonNode done = reconcile("{\"rootJobId\":\"%s\",\"dryRun\":false}".formatted(run));
        assertThat(done.path("dryRun").asBoolean()).isFalse();
        assertThat(kinds(done)).contains("LOST_COUNTER");
        assertThat(failed(run)).isZero();
        assertThat(kinds(reconcile("{\"rootJobId\":\"%s\"}".formatted(run)))).isEmpty();
    }

    private void awaitCompleted(String run, int tasks) {
        await().atMost(Duration.ofSeconds(30))
                .until(() -> run(run).path("stages").get(0).path("completed").asInt() == tasks);
    }

    private int failed(String run) {
        return run(run).path("stages").get(0).path("failed").asInt();
    }

    private JsonNode reconcile(String body) {
        Answer answer = api.post("/api/pipelines/reconcile", body);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.json();
    }

    private static List<String> kinds(JsonNode reconciled) {
        return reconciled
                .path("actions")
                .valueStream()
                .map(action -> text(action, "kind"))
                .toList();
    }

    // --- failed tasks

    /** A task has failed in each stage; the run continues with the requested retries. */
    private String failedInBothStages() {
        String run = submit(3);
        executor.fail(executor.begin(name, "first"), Outcome.PERMANENT);
        executor.fail(executor.begin(name, "first"), Outcome.PERMANENT);
        executor.finish(executor.begin(name, "first"), new TaskChild("u", "u-1", null, Map.of()));
        executor.fail(executor.begin(name, "last"), Outcome.PERMANENT);
        awaitStatus(run, "FAILED");
        return run;
    }

    private void retry(String run, String body) {
        Answer answer = api.post("/api/pipeline-runs/%s/retry".formatted(run), body);
        assertThat(answer.status()).as(answer.body()).isEqualTo(202);
        assertThat(text(answer.json(), "status")).isEqualTo("RUNNING");
    }

    private List<JsonNode> failedTasks(String run) {
        return items("/api/pipeline-runs/%s/tasks?status=FAILED".formatted(run));
    }

    @Test
    void retriesAllFailedTasks() {
        String run = failedInBothStages();

        retry(run, null);

        executor.finish(executor.begin(name, "first"));
        executor.finish(executor.begin(name, "first"));
        executor.finish(executor.begin(name, "last"));
        awaitStatus(run, "COMPLETED");
        assertThat(failedTasks(run)).isEmpty();
        assertThat(run(run).path("stages").get(0).path("completed").asInt()).isEqualTo(3);
    }

    @Test
    void retriesFailedTasksOfAStage() {
        String run = failedInBothStages();

        retry(run, "{\"stage\":\"last\"}");

        executor.finish(executor.begin(name, "last"));
        awaitStatus(run, "COMPLETED");
        assertThat(failedTasks(run))
                .hasSize(2)
                .allMatch(task -> text(task, "stage").equals("first"));
    }

    @Test
    void retriesSelectedFailedTasks() {
        String run = failedInBothStages();
        List<String> ids =
                failedTasks(run).stream().map(task -> text(task, "id")).toList();

        retry(run, "{\"taskIds\":[\"%s\",\"%s\"]}".formatted(ids.get(0), ids.get(2)));

        WireExecutor.Begun first = executor.begin(name, "first");
        assertThat(first.taskId()).isEqualTo(Long.parseLong(ids.get(0)));
        executor.finish(first);
        executor.finish(executor.begin(name, "last"));
        awaitStatus(run, "COMPLETED");
        assertThat(failedTasks(run)).extracting(task -> text(task, "id")).containsExactly(ids.get(1));
    }
}
