package io.orth.admin.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.search.Search;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.orth.admin.AdminFixture;
import io.orth.protocol.Registration;
import io.orth.protocol.WorkerMetrics;
import io.orth.testkit.TestDatabase;
import java.net.InetAddress;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("must-queues")
class ExecutorWatchDbTest {

    private static final String ADDRESS = "http://127.0.0.1:9999";

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private AdminFixture admin;
    private ExecutorGroup group;
    private ExecutorWatch watch;

    @BeforeEach
    void setUp() {
        admin = AdminFixture.onEmptied(db);
        group = admin.group("group");
        watch = new ExecutorWatch(admin.executors, registry);
    }

    @Test
    void exposesExecutorMetricsWithGroupAndAddress() {
        beat("instance", ADDRESS, 0.15);

        watch.run();

        assertThat(shown())
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "orth.executor.cpu group 9999",
                        0.15,
                        "orth.executor.process.cpu group 9999",
                        0.05,
                        "orth.executor.rss group 9999",
                        120 * 1_048_576.0,
                        "orth.executor.heap.used group 9999",
                        45 * 1_048_576.0,
                        "orth.executor.heap.total group 9999",
                        64 * 1_048_576.0,
                        "orth.executor.running group 9999",
                        3.0,
                        "orth.executor.queued group 9999",
                        8.0));
    }

    @Test
    void hidesOfflineExecutorButKeepsItsHistory() {
        beat("stays", ADDRESS, 0.5);
        beat("goes", "http://127.0.0.1:9998", 0.9);
        admin.history.sample();
        watch.run();
        assertThat(shown()).hasSize(14);

        admin.executors.leave(group.id(), new Registration.Instance("goes", "host", 7, "test", true));
        watch.run();

        assertThat(shown().keySet()).hasSize(7).allMatch(name -> name.endsWith("9999"));
        assertThat(admin.history.of("goes"))
                .singleElement()
                .satisfies(sample -> assertThat(sample.metrics().cpu()).isEqualTo(0.9));
    }

    @Test
    void successorReplacesPredecessorsMetrics() {
        beat("before", ADDRESS, 0.1);
        beat("after", ADDRESS, 0.7);

        watch.run();

        assertThat(shown()).hasSize(7).containsEntry("orth.executor.cpu group 9999", 0.7);
    }

    @Test
    void unknownLoadIsNaN() {
        beat("instance", ADDRESS, -1);

        watch.run();

        assertThat(shown().get("orth.executor.cpu group 9999")).isNaN();
    }

    @Test
    void limitsNumberOfShownExecutors() {
        admin.jdbc.sql("""
                        insert into orth_executor (instance_id, group_id, address, kind, host, pid, version, status, seq, status_at,
                                                   leftovers_delivered, draining, cpu, rss_mb, heap_used_mb, heap_total_mb,
                                                   running, queued, leaked_threads)
                        select 'i' || n, :group, 'http://127.0.0.1:' || n, 'ORTH', 'host', 1, 'v', 'ONLINE', 1, now(), true, false, 0,
                               1, 1, 1, 0, 0, 0
                          from generate_series(1, 600) n
                        """).param("group", group.id()).update();

        watch.run();

        assertThat(registry.find("orth.executor.cpu").gauges()).hasSize(ExecutorWatch.MOST);
    }

    private void beat(String instance, String address, double cpu) {
        WorkerMetrics metrics = new WorkerMetrics(cpu, new WorkerMetrics.Ram(120, 45, 64), 3, 8, 0, 0.05);
        admin.executors.register(
                group.id(),
                new Registration(
                        group.name(),
                        address,
                        new Registration.Instance(instance, "host", 7, "test", false, false, metrics)),
                InetAddress.getLoopbackAddress());
    }

    /** By name, group and port. */
    private Map<String, Double> shown() {
        Map<String, Double> shown = new TreeMap<>();
        for (Gauge gauge : Search.in(registry)
                .name(name -> name.startsWith("orth.executor."))
                .gauges()) {
            String executor = gauge.getId().getTag("executor");
            shown.put(
                    "%s %s %s"
                            .formatted(
                                    gauge.getId().getName(),
                                    gauge.getId().getTag("group"),
                                    executor.replaceAll(".*:(\\d+).*", "$1")),
                    gauge.value());
        }
        return shown;
    }
}
