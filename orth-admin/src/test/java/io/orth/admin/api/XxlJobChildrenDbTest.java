package io.orth.admin.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.api.SecuredClient.Answer;
import io.orth.admin.triggering.FakeXxlExecutor;
import io.orth.admin.xxlimport.TestMariaDb;
import io.orth.admin.xxlimport.XxlJobTables;
import io.orth.admin.xxlimport.XxlJobTables.Generation;
import io.orth.protocol.Headers;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.StreamSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

/** Imported jobs that others fire, which XXL-JOB does whether or not they are running. */
@Tag("must-first")
class XxlJobChildrenDbTest {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final AtomicInteger NAMES = new AtomicInteger();

    @RegisterExtension
    static final AdminServer admin = new AdminServer();

    @RegisterExtension
    static final TestMariaDb mariaDb = new TestMariaDb();

    private SecuredClient api;
    private String app;
    private XxlJobTables tables;

    @BeforeEach
    void setUp() {
        api = admin.api();
        app = "xxl-children-%d".formatted(NAMES.incrementAndGet());
        tables = mariaDb.xxlJob(Generation.V2_3)
                .group(1, app, "g")
                .job(
                        1,
                        1,
                        "parent",
                        "schedule_type",
                        "CRON",
                        "schedule_conf",
                        "0 0 3 * * ?",
                        "trigger_status",
                        1,
                        "child_jobid",
                        "2,3,4")
                .job(2, 1, "never scheduled")
                .job(3, 1, "stopped", "schedule_type", "CRON", "schedule_conf", "0 30 4 L * ?")
                .job(4, 1, "running", "schedule_type", "CRON", "schedule_conf", "0 0 5 * * ?", "trigger_status", 1)
                .job(5, 1, "no child", "schedule_type", "CRON", "schedule_conf", "0 0 6 * * ?");
    }

    @Test
    void enablesChildrenThatOnlyTheirParentsFire() {
        JsonNode report = imported();

        assertThat(job(report, 2).path("enabled").asBoolean()).isTrue();
        assertThat(remark(report, 2))
                .isEqualTo("is enabled without a schedule: job 1 fires it, whether or not it is running there");
        assertThat(job(report, 3).path("enabled").asBoolean()).isTrue();
        assertThat(job(report, 3).path("schedule").path("type").asString()).isEqualTo("NONE");
        assertThat(job(report, 3).path("nextFireAt").isNull()).isTrue();
        assertThat(remark(report, 3))
                .isEqualTo("is enabled without a schedule: job 1 fires it, whether or not it is running there;"
                        + " its schedule, which was stopped, is CRON 0 30 4 L * ?");
        assertThat(job(report, 4).path("enabled").asBoolean())
                .as("both schedulers would fire it")
                .isFalse();
        assertThat(job(report, 4).path("schedule").path("cron").asString()).isEqualTo("0 0 5 * * ?");
        assertThat(remark(report, 4))
                .isEqualTo(
                        "is paused, and job 1 fires it: enable it before that job, since a paused child is not fired");
        assertThat(job(report, 1).path("enabled").asBoolean()).isFalse();
        assertThat(job(report, 5).path("enabled").asBoolean()).isFalse();
        assertThat(job(report, 5).path("schedule").path("type").asString()).isEqualTo("CRON");
        assertThat(entry(report, 5).path("changed")).isEmpty();
    }

    @Test
    void firesThemWhenTheirParentSucceeds() {
        JsonNode report = imported();
        try (FakeXxlExecutor executor = new FakeXxlExecutor(FakeXxlExecutor.Generation.W2)) {
            SecuredClient xxl = register(executor);
            assertThat(api.post("/api/jobs/%s/resume".formatted(id(report, 1)), "")
                            .status())
                    .isEqualTo(200);
            String run = api.post("/api/jobs/%s/trigger".formatted(id(report, 1)), "{}")
                    .json()
                    .path("runId")
                    .asString();
            awaitRun(run, "PENDING");

            xxl.post("/api/callback", "[{\"logId\":%s,\"handleCode\":200}]".formatted(run));

            Awaitility.await().atMost(LIMIT).until(() -> runsOf(report, 2) == 1 && runsOf(report, 3) == 1);
            assertThat(runsOf(report, 4)).as("it is paused").isZero();
        }
    }

    @Test
    void reportsPausedJobThatBecameChildLater() {
        JsonNode first = imported();
        assertThat(entry(first, 5).path("changed")).isEmpty();

        tables.job(6, 1, "new parent", "child_jobid", "2,5");
        JsonNode second = imported();

        assertThat(remark(second, 5))
                .isEqualTo(
                        "is paused, and job 6 fires it: enable it before that job, since a paused child is not fired");
        assertThat(entry(second, 2).path("changed")).as("it is enabled").isEmpty();
        assertThat(job(second, 5).path("enabled").asBoolean()).isFalse();
    }

    private SecuredClient register(FakeXxlExecutor executor) {
        String group = api.get("/api/groups?name=" + app)
                .json()
                .path("items")
                .path(0)
                .path("id")
                .asString();
        String token = api.get("/api/groups/%s/token".formatted(group))
                .json()
                .path("token")
                .asString();
        SecuredClient xxl = admin.anonymous().header(Headers.XXL_ACCESS_TOKEN, token);
        xxl.post(
                "/api/registry",
                "{\"registryGroup\":\"EXECUTOR\",\"registryKey\":\"%s\",\"registryValue\":\"%s/\"}"
                        .formatted(app, executor.address()));
        return xxl;
    }

    private void awaitRun(String run, String status) {
        Awaitility.await()
                .atMost(LIMIT)
                .until(() -> api.get("/api/runs/" + run)
                        .json()
                        .path("status")
                        .asString()
                        .equals(status));
    }

    private int runsOf(JsonNode report, int sourceId) {
        return api.get("/api/runs?jobId=" + id(report, sourceId))
                .json()
                .path("items")
                .size();
    }

    private JsonNode imported() {
        Answer answer = api.post("/api/xxl-job-imports", """
                {"host":"127.0.0.1","port":%d,"database":"%s","user":"%s","password":"%s","zone":"UTC"}
                """.formatted(
                        mariaDb.port(), tables.name(), XxlJobTables.USER, XxlJobTables.PASSWORD));
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.json();
    }

    private static JsonNode entry(JsonNode report, int sourceId) {
        return StreamSupport.stream(report.path("entries").spliterator(), false)
                .filter(each -> each.path("kind").asString().equals("JOB")
                        && each.path("sourceId").asString().equals(Integer.toString(sourceId)))
                .findFirst()
                .orElseThrow();
    }

    private static String remark(JsonNode report, int sourceId) {
        JsonNode changed = entry(report, sourceId).path("changed");
        assertThat(changed).as(changed.toString()).hasSize(1);
        return changed.path(0).asString();
    }

    private static String id(JsonNode report, int sourceId) {
        return entry(report, sourceId).path("id").asString();
    }

    private JsonNode job(JsonNode report, int sourceId) {
        return api.get("/api/jobs/" + id(report, sourceId)).json();
    }
}
