package io.orth.admin.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.search.Search;
import io.orth.admin.AdminFixture;
import io.orth.protocol.ClaimedMessage;
import io.orth.protocol.MessageResult;
import io.orth.testkit.TestDatabase;
import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("must-queues")
class QueueMetricsDbTest {

    private static final String QUEUE = "emails";

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private AdminFixture admin;
    private QueueFixture queues;
    private long executor;

    @BeforeEach
    void setUp() {
        admin = AdminFixture.onEmptied(db);
        queues = admin.queues;
        executor = admin.executor(admin.group("group"), "instance", "http://127.0.0.1:9999")
                .executorId();
    }

    @Test
    void countsMessageEventsByQueue() {
        queues.queues.push(
                QUEUE,
                IntStream.range(0, 5).mapToObj(i -> MessageSpec.of("hello")).toList());
        List<ClaimedMessage> claimed = queues.claim(QUEUE, executor, 4);
        queues.report(
                QUEUE,
                executor,
                result(claimed.get(0), 200, false, 30),
                result(claimed.get(1), 500, false, 2_000),
                result(claimed.get(2), 500, true, 10_000_000),
                result(claimed.get(3), 0, false, 99));

        assertThat(counted(QUEUE))
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "enqueued",
                        5.0,
                        "claimed",
                        4.0,
                        "completed",
                        1.0,
                        "failed",
                        2.0,
                        "dead",
                        1.0,
                        "results.refused",
                        0.0));
        HistogramDataPointSnapshot runs = times(1, QUEUE);
        assertThat(runs.getCount()).as("what was not begun took no time").isEqualTo(3);
        assertThat(runs.getSum()).isEqualTo(10_002.03);
        assertThat(upTo(runs, 0.025)).isZero();
        assertThat(upTo(runs, 0.05)).isEqualTo(1);
        assertThat(upTo(runs, 2.5)).isEqualTo(2);
        assertThat(upTo(runs, 3_600)).isEqualTo(2);
        assertThat(times(0, QUEUE).getCount()).isEqualTo(4);
    }

    @Test
    void measuresWaitFromDueTime() {
        queues.push(QUEUE, MessageSpec.of("hello"));
        admin.jdbc
                .sql("update orth_message set due_at = due_at - interval '20 minutes'")
                .update();

        queues.claim(QUEUE, executor, 1);

        HistogramDataPointSnapshot waits = times(0, QUEUE);
        assertThat(upTo(waits, 300)).isZero();
        assertThat(upTo(waits, 1_800)).isEqualTo(1);
        assertThat(waits.getSum()).isBetween(1_200.0, 1_260.0);
    }

    @Test
    void countsLostAttemptAsFailedWithoutDuration() {
        queues.push(QUEUE, QueueFixture.withAttempts(1));
        queues.claim(QUEUE, executor, 1);
        admin.jdbc.sql("update orth_executor set status = 'DEAD'").update();

        queues.driver.release(10, Duration.ZERO, Duration.ZERO);

        assertThat(counted(QUEUE)).containsEntry("failed", 1.0).containsEntry("dead", 1.0);
        assertThat(times(1, QUEUE).getCount()).isZero();
    }

    @Test
    void countsNothingAfterRollback() {
        queues.push(QUEUE, MessageSpec.of("hello"));

        assertThatThrownBy(() -> admin.transactions.run(() -> {
                    queues.claim(QUEUE, executor, 1);
                    throw new IllegalStateException("no");
                }))
                .hasMessage("no");

        assertThat(counted(QUEUE)).containsEntry("claimed", 0.0);
        assertThat(times(0, QUEUE).getCount()).isZero();
        queues.claim(QUEUE, executor, 1);
        assertThat(counted(QUEUE)).containsEntry("claimed", 1.0);
        assertThat(times(0, QUEUE).getCount()).isEqualTo(1);
    }

    @Test
    void showsDepthAndOldestAgeWithoutCountingMessages() {
        queues.queues.push(
                QUEUE,
                IntStream.range(0, 6).mapToObj(i -> MessageSpec.of("hello")).toList());
        queues.queues.open("idle");
        List<ClaimedMessage> claimed = queues.claim(QUEUE, executor, 3);
        queues.report(QUEUE, executor, result(claimed.get(0), 500, true, 1));
        admin.jdbc
                .sql("update orth_message set due_at = due_at - interval '90 seconds' where status = 'WAITING'")
                .update();
        admin.transactions.run(() -> queues.reports.fold(10));
        // The gauges come from the tallies, so deleting the messages does not change them.
        admin.jdbc.sql("delete from orth_dead_letter").update();

        watch().run();

        assertThat(shown(QUEUE)).isEqualTo("WAITING=3.0 RUNNING=2.0 DEAD=1.0");
        assertThat(shown("idle")).isEqualTo("WAITING=0.0 RUNNING=0.0 DEAD=0.0");
        assertThat(oldest(QUEUE)).isBetween(90.0, 150.0);
        assertThat(oldest("idle")).isZero();
        assertThat(counted("idle")).containsEntry("enqueued", 0.0);
    }

    @Test
    void groupsQueuesBeyondLimit() {
        IntStream.range(0, QueueMetrics.MOST_QUEUES).forEach(i -> queues.metrics.label("q" + i));
        queues.push("late", MessageSpec.of("hello"));
        queues.push("later", MessageSpec.of("hello"));

        watch().run();

        assertThat(queues.registry.find("orth.queue.enqueued").counters()).hasSize(QueueMetrics.MOST_QUEUES + 1);
        assertThat(counted("other")).containsEntry("enqueued", 2.0);
        assertThat(counted("late")).isEmpty();
        assertThat(shown("other")).startsWith("WAITING=2.0");
    }

    private QueueWatch watch() {
        return new QueueWatch(queues.queues, queues.reports, queues.metrics, queues.registry, Clock.systemUTC());
    }

    private static MessageResult result(ClaimedMessage message, int code, boolean forGood, long millis) {
        return new MessageResult(message.id(), message.logId(), code, "said", forGood, null, millis);
    }

    private Map<String, Double> counted(String queue) {
        Map<String, Double> counted = new TreeMap<>();
        Search.in(queues.registry)
                .name(name -> name.startsWith("orth.queue."))
                .tag("queue", queue)
                .counters()
                .forEach(counter -> counted.put(counter.getId().getName().replace("orth.queue.", ""), counter.count()));
        return counted;
    }

    private String shown(String queue) {
        return List.of("WAITING", "RUNNING", "DEAD").stream()
                .map(state -> "%s=%s"
                        .formatted(
                                state,
                                queues.registry
                                        .get("orth.queue.depth")
                                        .tags("queue", queue, "state", state)
                                        .gauge()
                                        .value()))
                .reduce((one, other) -> one + " " + other)
                .orElseThrow();
    }

    private double oldest(String queue) {
        Gauge gauge =
                queues.registry.get("orth.queue.oldest").tag("queue", queue).gauge();
        return gauge.value();
    }

    /** 0 for waits, 1 for runs. */
    private HistogramDataPointSnapshot times(int which, String queue) {
        Collector collector = queues.metrics.histograms().get(which);
        return ((HistogramSnapshot) collector.collect())
                .getDataPoints().stream()
                        .filter(point -> queue.equals(point.getLabels().get("queue")))
                        .findFirst()
                        .orElseThrow();
    }

    private static long upTo(HistogramDataPointSnapshot point, double seconds) {
        return point.getClassicBuckets().stream()
                .filter(bucket -> bucket.getUpperBound() <= seconds)
                .mapToLong(bucket -> bucket.getCount())
                .sum();
    }
}
