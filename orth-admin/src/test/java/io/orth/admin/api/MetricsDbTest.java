package io.orth.admin.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.orth.admin.ReferencePage;
import io.orth.admin.job.JobSpecs;
import io.orth.admin.job.Jobs;
import io.orth.admin.job.MisfirePolicy;
import io.orth.admin.job.Schedule;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.registry.Executors;
import io.orth.admin.registry.Groups;
import io.orth.protocol.Registration;
import io.orth.protocol.WorkerMetrics;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The metrics that Prometheus reads after real transitions. */
@Tag("must-transitions")
@Timeout(120)
class MetricsDbTest {

    private static final Pattern TYPE =
            Pattern.compile("(?m)^# TYPE ((?:orth|hydrate|outbox|reconciler)_\\w+) (\\w+)$");
    private static final Pattern SAMPLE =
            Pattern.compile("(?m)^((?:orth|hydrate|outbox|reconciler)_\\w+)(?:\\{(.*)})? ([-+.\\dEINFNa]+)$");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"");
    private static final String CREATED = "orth_transitions_total{from=\"\",kind=\"JOB\",to=\"ENABLED\"}";
    private static final String PAUSED = "orth_transitions_total{from=\"ENABLED\",kind=\"JOB\",to=\"PAUSED\"}";
    private static final String STAYS = "orth_time_in_state_seconds_count{kind=\"JOB\",state=\"ENABLED\"}";
    private static final String SECONDS = "orth_time_in_state_seconds_sum{kind=\"JOB\",state=\"ENABLED\"}";
    private static final String SHORT = "orth_time_in_state_seconds_bucket{kind=\"JOB\",state=\"ENABLED\",le=\"60.0\"}";
    private static final String LONG =
            "orth_time_in_state_seconds_bucket{kind=\"JOB\",state=\"ENABLED\",le=\"86400.0\"}";
    private static final String TAKEN = "orth_relay_emitted_total{sink=\"file\"}";

    @RegisterExtension
    static final AdminServer admin = new AdminServer();

    private Jobs jobs;
    private Transactions transactions;
    private int group;

    @BeforeEach
    void setUp() {
        jobs = admin.context().getBean(Jobs.class);
        transactions = admin.context().getBean(Transactions.class);
        String name = "metrics-" + admin.count("orth_executor_group");
        group = admin.context().getBean(Groups.class).create(name, name).id();
    }

    private int job(String name) {
        return jobs.create(JobSpecs.of(name, group, "handler", "", new Schedule.None(), MisfirePolicy.FIRE_ONCE), true)
                .id();
    }

    @Test
    void countsTransitionsWithTimeSpentInPreviousState() {
        Map<String, Double> before = samples();

        int job = job("counted");
        admin.jdbc()
                .sql("update orth_job set status_at = status_at - interval '1 hour' where id = :id")
                .param("id", job)
                .update();
        jobs.pause(job);

        assertRisen(before, CREATED, 1);
        assertRisen(before, PAUSED, 1);
        assertRisen(before, STAYS, 1);
        assertRisen(before, SHORT, 0);
        assertRisen(before, LONG, 1);
        assertThat(samples().get(SECONDS) - before.getOrDefault(SECONDS, 0.0)).isBetween(3_600.0, 3_660.0);
    }

    @Test
    void ignoresTransitionsOfRolledBackTransactions() {
        int job = job("rolled back");
        Map<String, Double> before = samples();

        assertThatThrownBy(() -> transactions.run(() -> {
                    jobs.pause(job);
                    throw new IllegalStateException("no");
                }))
                .hasMessage("no");

        assertRisen(before, PAUSED, 0);
        assertRisen(before, STAYS, 0);
        jobs.pause(job);
        assertRisen(before, PAUSED, 1);
        assertRisen(before, STAYS, 1);
    }

    @Test
    void relayExposesDeliveredCountAndLag() {
        Map<String, Double> before = samples();
        jobs.pause(job("told"));

        await().atMost(Duration.ofSeconds(60))
                .until(() -> samples().getOrDefault(TAKEN, 0.0) - before.getOrDefault(TAKEN, 0.0) >= 2);
        assertThat(samples())
                .containsEntry("orth_relay_dropped_total{sink=\"file\"}", 0.0)
                .containsEntry("orth_relay_failures_total{sink=\"file\"}", 0.0);
        await().atMost(Duration.ofSeconds(60)).until(() -> samples().get("orth_relay_lag_seconds") < 1);
        await().atMost(Duration.ofSeconds(60))
                .until(() -> samples().getOrDefault("orth_relay_sink_lag_seconds{sink=\"file\"}", 99.0) < 1);
    }

    @Test
    void theReferenceListsEveryMetricWithItsTypeAndLabels() {
        jobs.pause(job("listed"));
        admin.api().post("/api/queues/metrics-listed/messages", "{\"payload\":\"hello\"}");
        beat();
        await().atMost(Duration.ofSeconds(60)).until(() -> scrape().contains("orth_queue_oldest_seconds{"));
        await().atMost(Duration.ofSeconds(60)).until(() -> scrape().contains("orth_executor_queued{"));
        submit();
        await().atMost(Duration.ofSeconds(60)).until(() -> scrape().contains("orth_relay_sink_lag_seconds{"));

        assertThat(listed()).isEqualTo(exposed());
        assertThat(ReferencePage.rows("metrics.md"))
                .allSatisfy(row -> assertThat(row.get(3)).isNotBlank());
    }

    private void beat() {
        Groups groups = admin.context().getBean(Groups.class);
        WorkerMetrics metrics = new WorkerMetrics(0.15, new WorkerMetrics.Ram(120, 45, 64), 3, 8, 0);
        Registration.Instance instance =
                new Registration.Instance("metrics-" + group, "host", 1, "v", true, false, metrics);
        admin.context()
                .getBean(Executors.class)
                .register(
                        group,
                        new Registration(groups.get(group).name(), "http://127.0.0.1:9", instance),
                        InetAddress.getLoopbackAddress());
    }

    /** Counters by target are there from the first task of it. */
    private static void submit() {
        SecuredClient api = admin.api();
        api.put("/api/pipelines/listed", "{\"stages\":[{\"name\":\"all\",\"handler\":\"h\"}]}");
        assertThat(api.post("/api/pipelines/listed/runs", "{}").status()).isEqualTo(202);
    }

    /** By name: type and labels, sorted. */
    private static Map<String, String> listed() {
        Map<String, String> listed = new TreeMap<>();
        ReferencePage.rows("metrics.md")
                .forEach(row -> listed.put(
                        row.get(0),
                        row.get(1) + " "
                                + Pattern.compile("\\w+")
                                        .matcher(row.get(2))
                                        .results()
                                        .map(MatchResult::group)
                                        .collect(Collectors.toCollection(TreeSet::new))));
        return listed;
    }

    private static Map<String, String> exposed() {
        String text = scrape();
        Map<String, String> exposed = new TreeMap<>();
        TYPE.matcher(text).results().forEach(type -> exposed.put(type.group(1), type.group(2)));
        exposed.keySet()
                .removeIf(
                        name -> "histogram".equals(exposed.get(name.replaceAll("_max$", ""))) && name.endsWith("_max"));
        exposed.replaceAll((name, type) -> type + " " + labels(text, name));
        return exposed;
    }

    private static Set<String> labels(String text, String metric) {
        return SAMPLE.matcher(text)
                .results()
                .filter(sample -> sample.group(1).startsWith(metric) && sample.group(2) != null)
                .flatMap(sample -> LABEL.matcher(sample.group(2)).results().map(label -> label.group(1)))
                .filter(label -> !label.equals("le"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static void assertRisen(Map<String, Double> before, String sample, double by) {
        assertThat(samples().getOrDefault(sample, 0.0) - before.getOrDefault(sample, 0.0))
                .as(sample)
                .isEqualTo(by);
    }

    private static Map<String, Double> samples() {
        Map<String, Double> samples = new TreeMap<>();
        SAMPLE.matcher(scrape())
                .results()
                .forEach(sample -> samples.put(
                        sample.group(1) + (sample.group(2) == null ? "" : "{" + sample.group(2) + "}"),
                        Double.parseDouble(sample.group(3))));
        return samples;
    }

    private static String scrape() {
        SecuredClient.Answer answer = admin.api().get("/actuator/prometheus");
        assertThat(answer.status()).isEqualTo(200);
        return answer.body();
    }
}
