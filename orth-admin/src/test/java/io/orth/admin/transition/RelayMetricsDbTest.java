package io.orth.admin.transition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.orth.admin.AdminFixture;
import io.orth.admin.kernel.ClusterLease;
import io.orth.admin.kernel.StandingLease;
import io.orth.admin.kernel.Ticker;
import io.orth.admin.registry.ExecutorGroup;
import io.orth.admin.transition.RelayFixture.Remembering;
import io.orth.testkit.ManualClock;
import io.orth.testkit.TestDatabase;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Metrics of delivered, dropped and pending transitions. */
@Tag("must-transitions")
@Timeout(60)
class RelayMetricsDbTest {

    private static final Duration LEASE = Duration.ofSeconds(6);

    @RegisterExtension
    final TestDatabase db = new TestDatabase();

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final ManualClock clock = ManualClock.at(Instant.now());
    private final Remembering sink = new Remembering("sink");
    private AdminFixture admin;
    private TransitionRelay relay;
    private SinkFeeder feeder;
    private Sinks sinks;

    @BeforeEach
    void setUp() {
        admin = new AdminFixture(db);
        TransitionMetrics metrics = new TransitionMetrics(registry);
        StandingLease lease = new StandingLease(
                new ClusterLease(admin.jdbc, "transition-relay", admin.node, LEASE), LEASE, Ticker.system());
        JournalRepository journal = new JournalRepository(admin.jdbc);
        SinkRepository repository = new SinkRepository(admin.jdbc);
        TransitionFeed feed = new TransitionFeed(journal, new TransitionRows(admin.jdbc, admin.workSources));
        sinks = new Sinks(repository, journal);
        feeder = new SinkFeeder(sink, lease, feed, repository, admin.transactions, clock, metrics);
        relay = new TransitionRelay(
                lease,
                journal,
                repository,
                List.of(feeder),
                () -> {},
                () -> false,
                admin.transactions,
                clock,
                RelayFixture.properties(Duration.ofHours(1), Duration.ofHours(1), 3),
                metrics,
                admin.systemLog);
        relay.run();
    }

    @Test
    void registersCountersOfSinkAtStart() {
        assertThat(counted("orth.relay.emitted")).isZero();
        assertThat(counted("orth.relay.dropped")).isZero();
        assertThat(counted("orth.relay.failures")).isZero();
    }

    @Test
    void countsEmittedTransitionsAndFailures() throws Exception {
        admin.group("one");
        admin.executor(admin.group("two"), "i1", "http://127.0.0.1:9999");
        relay.run();
        sink.failure = new IllegalStateException("away");
        assertThatThrownBy(feeder::run).hasMessage("away");
        assertThatThrownBy(feeder::run).hasMessage("away");
        sink.failure = null;
        feeder.run();
        feeder.run();

        assertThat(counted("orth.relay.failures")).isEqualTo(2);
        assertThat(counted("orth.relay.emitted")).isEqualTo(1);
        assertThat(counted("orth.relay.dropped")).isZero();
    }

    @Test
    void countsDroppedTransitions() throws Exception {
        ExecutorGroup group = admin.group("group");
        for (int i = 0; i < 5; i++) {
            admin.unsentRun(group);
        }
        relay.run();
        sink.failure = new IllegalStateException("away");
        assertThatThrownBy(feeder::run).hasMessage("away");
        clock.advance(Duration.ofMinutes(2));
        relay.run();
        sink.failure = null;
        feeder.run();

        assertThat(counted("orth.relay.dropped")).isEqualTo(2);
        assertThat(admin.systemLog.lines())
                .contains("ERROR 2 transitions were dropped for sink %s: away".formatted(sink.name()));
        assertThat(counted("orth.relay.emitted")).isEqualTo(3);
    }

    @Test
    void lagIsAgeOfOldestUndeliveredTransition() throws Exception {
        RelayWatch watch = new RelayWatch(
                sinks,
                new JournalRepository(admin.jdbc),
                Clock.offset(Clock.systemUTC(), Duration.ofSeconds(40)),
                registry);
        watch.run();
        assertThat(lag("orth.relay.lag")).as("nothing waits").isZero();
        assertThat(lag("orth.relay.sink.lag")).isZero();

        admin.unsentRun(admin.group("group"));
        watch.run();
        assertThat(lag("orth.relay.lag")).as("without a place").isBetween(40.0, 60.0);
        relay.run();
        watch.run();
        assertThat(lag("orth.relay.lag")).as("with a place").isBetween(40.0, 60.0);
        assertThat(lag("orth.relay.sink.lag")).isBetween(40.0, 60.0);

        feeder.run();
        watch.run();
        assertThat(lag("orth.relay.lag")).as("taken").isZero();
        assertThat(lag("orth.relay.sink.lag")).isZero();
    }

    @Test
    void lagGrowsWithoutRelay() {
        admin.jdbc.sql("delete from orth_sink").update();
        admin.unsentRun(admin.group("group"));

        new RelayWatch(
                        sinks,
                        new JournalRepository(admin.jdbc),
                        Clock.offset(Clock.systemUTC(), Duration.ofSeconds(40)),
                        registry)
                .run();

        assertThat(lag("orth.relay.lag")).isBetween(40.0, 60.0);
    }

    private double counted(String counter) {
        return registry.get(counter).tag("sink", "sink").counter().count();
    }

    private double lag(String gauge) {
        return registry.get(gauge).gauge().value();
    }
}
