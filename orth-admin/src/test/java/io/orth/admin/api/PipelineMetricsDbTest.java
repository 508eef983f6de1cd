package io.orth.admin.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.admin.api.SecuredClient.Answer;
import io.orth.admin.pipeline.TaskResult.Outcome;
import io.orth.protocol.TaskChild;
import io.orth.testkit.TestDatabase;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The metrics that Prometheus reads after tasks finished. The admin is not shared, so all metrics are about these
 * tasks.
 */
@Tag("must-pipelines")
@Timeout(120)
class PipelineMetricsDbTest {

    private static final Pattern SAMPLE =
            Pattern.compile("(?m)^((?:hydrate|outbox)_\\w+)(?:\\{(.*)})? ([-+.\\dEINFNa]+)$");

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private static AdminServer.Running admin;
    private static WireExecutor executor;

    @BeforeAll
    static void start() {
        admin = AdminServer.start(db);
        executor = new WireExecutor(admin, "http://127.0.0.1:9999/");
    }

    @AfterAll
    static void stop() {
        executor.close();
        admin.close();
    }

    private static Map<String, Double> samples() {
        Answer answer = admin.api().get("/actuator/prometheus");
        assertThat(answer.status()).isEqualTo(200);
        Map<String, Double> samples = new TreeMap<>();
        SAMPLE.matcher(answer.body())
                .results()
                .forEach(sample -> samples.put(
                        sample.group(1) + (sample.group(2) == null ? "" : "{" + sample.group(2) + "}"),
                        Double.parseDouble(sample.group(3))));
        return samples;
    }

    /** One task succeeds, with a child; one fails without retry; one succeeds when it is retried. */
    @Test
    void countsTaskOutcomes() {
        SecuredClient api = admin.api();
        api.put("/api/pipelines/counted", """
                {"stages":[{"name":"courses","handler":"h","tolerance":"ALWAYS","backoff":{"initialDelay":"PT0.01S"}},
                 {"name":"topics","handler":"h"}]}
                """);
        Answer submitted = api.post("/api/pipelines/counted/runs", """
                {"scope":{"targets":[{"targetType":"course","targetId":"1"},{"targetType":"course","targetId":"2"},
                                     {"targetType":"course","targetId":"3"}]}}
                """);
        assertThat(submitted.status()).as(submitted.body()).isEqualTo(202);

        executor.finish(executor.begin("counted", "courses"), new TaskChild("topic", "1-1", null, Map.of()));
        executor.fail(executor.begin("counted", "courses"), Outcome.PERMANENT);
        executor.fail(executor.begin("counted", "courses"), Outcome.FAILED);
        WireExecutor.Begun again = executor.begin("counted", "courses");
        assertThat(again.attempt()).isEqualTo(2);
        executor.finish(again);
        executor.finish(executor.begin("counted", "topics"));

        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(samples())
                        .containsEntry("hydrate_jobs_created_total{target=\"course\"}", 3.0)
                        .containsEntry("hydrate_jobs_created_total{target=\"topic\"}", 1.0)
                        .containsEntry("hydrate_jobs_claimed_total", 5.0)
                        .containsEntry("hydrate_jobs_completed_total{target=\"course\"}", 2.0)
                        .containsEntry("hydrate_jobs_completed_total{target=\"topic\"}", 1.0)
                        .containsEntry("hydrate_jobs_failed_total{target=\"course\"}", 1.0)
                        .containsEntry("hydrate_jobs_failed_total{target=\"topic\"}", 0.0)
                        .as("attempts that ended their tasks")
                        .containsEntry("hydrate_job_duration_seconds_count", 4.0)
                        .as("each task was sent once, with all its attempts")
                        .containsEntry("outbox_send_latency_seconds_count", 4.0)
                        .containsEntry("outbox_attempts_total{result=\"SENT\"}", 4.0)
                        .containsEntry("outbox_attempts_total{result=\"FAILED\"}", 0.0)
                        .containsEntry("outbox_attempts_total{result=\"PARKED\"}", 0.0)
                        .containsEntry("hydrate_jobs_backlog", 0.0)
                        .containsEntry("outbox_pending", 0.0));
        assertThat(samples().get("hydrate_job_duration_seconds_sum"))
                .isPositive()
                .isLessThan(120);
        assertThat(samples().get("outbox_send_latency_seconds_sum"))
                .isPositive()
                .isLessThan(300);
    }
}
