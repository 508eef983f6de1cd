package io.orth.admin.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.api.SecuredClient.Answer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

@Tag("must-runs")
class BackfillApiDbTest {

    private static final String HOURLY = "{\"type\":\"CRON\",\"cron\":\"0 0 * * * ?\",\"zone\":\"UTC\"}";

    @RegisterExtension
    static final AdminServer admin = new AdminServer();

    private static final AtomicInteger NAMES = new AtomicInteger();

    private SecuredClient api;
    private String group;

    @BeforeEach
    void setUp() {
        api = admin.api();
        group = api.post("/api/groups", "{\"name\":\"backfill-%d\"}".formatted(NAMES.incrementAndGet()))
                .json()
                .path("id")
                .asString();
    }

    @Test
    void dryRunShowsFireTimesAndCreatesNothing() {
        String job = job(HOURLY);
        long before = admin.count("orth_run_all");

        JsonNode preview = backfill(job, "2026-01-01T00:00:00Z", "2026-01-01T03:00:00Z", true)
                .json();

        assertThat(preview.path("dryRun").asBoolean()).isTrue();
        assertThat(preview.path("runs").asInt()).isEqualTo(4);
        assertThat(preview.path("existing").asInt()).isZero();
        assertThat(preview.path("times").values().stream()
                        .map(slot -> slot.path("at").asString()))
                .containsExactly(
                        "2026-01-01T00:00:00Z", "2026-01-01T01:00:00Z", "2026-01-01T02:00:00Z", "2026-01-01T03:00:00Z");
        assertThat(preview.path("times")).allMatch(slot -> slot.path("runId").isNull());
        assertThat(admin.count("orth_run_all")).isEqualTo(before);
    }

    @Test
    void createsOneRunPerFireTimeAndKeepsExisting() {
        String job = job(HOURLY);
        JsonNode first = backfill(job, "2026-01-01T01:00:00Z", "2026-01-01T02:00:00Z", false)
                .json();
        long runs = admin.count("orth_run_all");

        JsonNode second = backfill(job, "2026-01-01T00:30:00Z", "2026-01-01T03:59:59Z", false)
                .json();

        assertThat(first.path("runs").asInt()).isEqualTo(2);
        assertThat(second.path("runs").asInt()).isEqualTo(1);
        assertThat(second.path("existing").asInt()).isEqualTo(2);
        assertThat(second.path("times").path(0).path("runId").asString())
                .isEqualTo(first.path("times").path(0).path("runId").asString());
        assertThat(second.path("times").path(0).path("isNew").asBoolean()).isFalse();
        assertThat(second.path("times").path(2).path("isNew").asBoolean()).isTrue();
        assertThat(admin.count("orth_run_all")).isEqualTo(runs + 1);
        JsonNode run = api.get("/api/runs/"
                        + second.path("times").path(2).path("runId").asString())
                .json();
        assertThat(run.path("triggerType").asString()).isEqualTo("BACKFILL");
        assertThat(run.path("scheduleTime").asString()).isEqualTo("2026-01-01T03:00:00Z");
        assertThat(run.path("traceId").asString()).isNotEmpty();
    }

    @Test
    void createsRunsFromCurrentJob() {
        String job = api.post("/api/jobs", """
                        {"name":"source","groupId":"%s","schedule":%s,"blockStrategy":"DISCARD","timeoutSeconds":90,
                         "glue":{"type":"GLUE_SHELL","source":"echo"}}
                        """.formatted(group, HOURLY)).header("Location");

        JsonNode made = backfill(job, "2026-01-01T01:00:00Z", "2026-01-01T01:00:00Z", false)
                .json();

        JsonNode run = api.get(
                        "/api/runs/" + made.path("times").path(0).path("runId").asString())
                .json();
        assertThat(run.path("handler").isNull()).isTrue();
        assertThat(run.path("glue").path("type").asString()).isEqualTo("GLUE_SHELL");
        assertThat(run.path("glue").path("version").asInt()).isEqualTo(1);
        assertThat(run.path("blockStrategy").asString()).isEqualTo("DISCARD");
        assertThat(run.path("timeoutSeconds").asInt()).isEqualTo(90);
    }

    @Test
    void rangeWithoutFireTimeCreatesNothing() {
        JsonNode nothing = backfill(job(HOURLY), "2026-01-01T00:00:01Z", "2026-01-01T00:59:59Z", false)
                .json();

        assertThat(nothing.path("runs").asInt()).isZero();
        assertThat(nothing.path("times")).isEmpty();
    }

    @Test
    void createsRunsUpToTheLimitAndRejectsOneMore() {
        String job = job("{\"type\":\"CRON\",\"cron\":\"0 * * * * ?\",\"zone\":\"UTC\"}");
        long before = admin.count("orth_run_all");

        assertInvalid(backfill(job, "2026-01-01T00:00:00Z", "2026-01-01T01:40:00Z", false), "to");
        assertThat(admin.count("orth_run_all")).isEqualTo(before);
        assertThat(backfill(job, "2026-01-01T00:00:00Z", "2026-01-01T01:39:00Z", true)
                        .json()
                        .path("runs")
                        .asInt())
                .isEqualTo(100);
    }

    @Test
    void aFixedRateIsBackfilledInStepWithItsStart() {
        String job = job("{\"type\":\"FIXED_RATE\",\"interval\":\"PT1H\",\"start\":\"2026-01-01T00:10:00Z\"}");

        JsonNode preview = backfill(job, "2025-12-31T22:00:00Z", "2026-01-01T02:00:00Z", true)
                .json();

        assertThat(preview.path("times").values().stream()
                        .map(slot -> slot.path("at").asString()))
                .containsExactly("2026-01-01T00:10:00Z", "2026-01-01T01:10:00Z");
    }

    @Test
    void aFixedRateWithoutAStartIsBackfilledInStepWithItsNextFire() {
        String job = job("{\"type\":\"FIXED_RATE\",\"interval\":\"PT1H\"}");
        Instant next = Instant.parse(api.get(job).json().path("nextFireAt").asString());

        JsonNode preview = backfill(
                        job,
                        next.minus(190, ChronoUnit.MINUTES).toString(),
                        next.minus(1, ChronoUnit.HOURS).minusMillis(1).toString(),
                        true)
                .json();

        assertThat(preview.path("times").values().stream()
                        .map(slot -> Instant.parse(slot.path("at").asString())))
                .containsExactly(next.minus(3, ChronoUnit.HOURS), next.minus(2, ChronoUnit.HOURS));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"type":"NONE"}
            {"type":"ONE_SHOT","at":"2090-01-01T00:00:00Z"}
            {"type":"FIXED_DELAY","interval":"PT1H"}
            """)
    void rejectsScheduleWithoutFireTimes(String schedule) {
        assertInvalid(backfill(job(schedule), "2026-01-01T00:00:00Z", "2026-01-01T01:00:00Z", false), "schedule");
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(delimiter = '|', textBlock = """
            from   | {}
            from   | {"from":"yesterday","to":"2026-01-01T00:00:00Z"}
            from   | {"from":7,"to":"2026-01-01T00:00:00Z"}
            from   | {"from":"+1000000000-01-01T00:00:00Z","to":"2026-01-01T00:00:00Z"}
            to     | {"from":"2026-01-01T00:00:00Z"}
            to     | {"from":"2026-01-01T00:00:00Z","to":""}
            to     | {"from":"2026-01-01T00:00:00Z","to":"2025-12-31T23:59:59Z"}
            to     | {"from":"2026-01-01T00:00:00Z","to":"2026-01-08T00:00:00.001Z"}
            to     | {"from":"2026-01-01T00:00:00Z","to":"2999-01-01T00:00:00Z"}
            dryRun | {"from":"2026-01-01T00:00:00Z","to":"2026-01-01T00:00:00Z","dryRun":"no"}
            param  | {"from":"2026-01-01T00:00:00Z","to":"2026-01-01T00:00:00Z","param":"x"}
            """)
    void namesBadFieldAndCreatesNothing(String field, String body) {
        String job = job(HOURLY);
        long before = admin.count("orth_run_all");

        assertInvalid(api.post(job + "/backfill", body), field);

        assertThat(admin.count("orth_run_all")).isEqualTo(before);
    }

    @Test
    void rejectsFutureRange() {
        Instant now = Instant.now();

        assertInvalid(
                backfill(job(HOURLY), now.toString(), now.plusSeconds(3_600).toString(), false), "to");
    }

    @Test
    void returnsNotFoundForUnknownJob() {
        assertThat(backfill("/api/jobs/999999", "2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z", false)
                        .code())
                .isEqualTo("NOT_FOUND");
    }

    @Test
    void listsReasonsOfSkippedFires() {
        String job = job(HOURLY);
        api.post(job + "/pause", null);

        JsonNode page = api.get(job + "/decisions").json();

        assertThat(page.path("items")).hasSize(1);
        JsonNode entry = page.path("items").path(0);
        assertThat(entry.path("reason").asString()).isEqualTo("PAUSED");
        assertThat(entry.path("first").isNull()).isFalse();
        assertThat(entry.path("last").isNull()).isTrue();
        assertThat(entry.path("fires").isNull()).isTrue();
        assertThat(entry.path("jobName").asString()).isEqualTo("job");
        String all = "/api/decisions?jobId=" + entry.path("jobId").asString();
        assertThat(api.get(all + "&reason=PAUSED").json().path("items")).hasSize(1);
        assertThat(api.get(all + "&reason=MISSED").json().path("items")).isEmpty();
        assertThat(api.get(all + "&to=2020-01-01T00:00:00Z").json().path("items"))
                .isEmpty();
        assertInvalid(api.get("/api/decisions?reason=BORED"), "reason");
        assertInvalid(api.get("/api/decisions?from=soon"), "from");
        assertInvalid(api.get("/api/decisions?limit=0"), "limit");
        assertThat(api.get("/api/jobs/999999/decisions").code()).isEqualTo("NOT_FOUND");
    }

    private Answer backfill(String job, String from, String to, boolean dryRun) {
        return api.post(job + "/backfill", "{\"from\":\"%s\",\"to\":\"%s\",\"dryRun\":%s}".formatted(from, to, dryRun));
    }

    private String job(String schedule) {
        return api.post(
                        "/api/jobs",
                        "{\"name\":\"job\",\"groupId\":\"%s\",\"handler\":\"h\",\"schedule\":%s}"
                                .formatted(group, schedule))
                .header("Location");
    }

    private static void assertInvalid(Answer answer, String field) {
        assertThat(answer.code()).isEqualTo("INVALID_INPUT");
        assertThat(answer.json().path("errors").values().stream()
                        .map(error -> error.path("field").asString()))
                .contains(field);
    }
}
