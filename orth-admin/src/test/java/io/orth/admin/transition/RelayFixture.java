package io.orth.admin.transition;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.orth.admin.AdminFixture;
import io.orth.admin.kernel.ClusterLease;
import io.orth.admin.kernel.Node;
import io.orth.admin.kernel.StandingLease;
import io.orth.admin.kernel.Ticker;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.springframework.util.unit.DataSize;

/** The relay of one node with the test's sinks; the test runs the passes. */
final class RelayFixture {

    static final RelayProperties PROPERTIES = properties(Duration.ofHours(1), Duration.ofDays(1), 10_000_000);

    private static final Duration LEASE = Duration.ofSeconds(6);

    /** Records the transitions it receives; fails while {@code failure} is set. */
    static final class Remembering implements TransitionSink {

        final List<RelayedTransition> told = new ArrayList<>();
        final List<Long> terms = new ArrayList<>();
        RuntimeException failure;
        private final String name;

        Remembering(String name) {
            this.name = name;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public void emit(long term, List<RelayedTransition> transitions) {
            if (failure != null) {
                throw failure;
            }
            terms.add(term);
            told.addAll(transitions);
        }

        /** Sequence numbers received, by entity. */
        Map<String, List<Integer>> sequences() {
            return told.stream()
                    .map(RelayedTransition::transition)
                    .collect(Collectors.groupingBy(
                            t -> t.entity() + " " + t.entityId(),
                            Collectors.mapping(t -> t.sequence(), Collectors.toList())));
        }
    }

    final AdminFixture admin;
    final StandingLease lease;
    final TransitionFeed feed;
    final JournalRepository journal;
    final SinkRepository sinks;
    final TransitionRelay relay;
    final List<SinkFeeder> feeders;
    /** Whether the installation is paused; feeders do not run then. */
    boolean paused;
    /** Wakes the feeders in an admin. */
    Runnable onPositions = () -> {};

    private final Ticker ticker;

    static RelayProperties properties(Duration replay, Duration holdAge, long holdChanges) {
        return new RelayProperties(
                Duration.ofMillis(200),
                Duration.ofNanos(1),
                10_000,
                replay,
                holdAge,
                holdChanges,
                new RelayProperties.Delays(Duration.ofMillis(500), 2, Duration.ofSeconds(30), 0),
                false,
                new RelayProperties.File(false, java.nio.file.Path.of("unused"), DataSize.ofMegabytes(1), 2),
                Map.of());
    }

    RelayFixture(AdminFixture admin, String node, RelayProperties properties, Ticker ticker, TransitionSink... sinks) {
        this(admin, node, properties, ticker, Clock.systemUTC(), sinks);
    }

    RelayFixture(
            AdminFixture admin,
            String node,
            RelayProperties properties,
            Ticker ticker,
            Clock clock,
            TransitionSink... sinks) {
        this.admin = admin;
        this.ticker = ticker;
        this.lease = new StandingLease(
                new ClusterLease(admin.jdbc, "transition-relay", new Node(node, node, 1, "test"), LEASE),
                LEASE,
                () -> this.ticker.nanos());
        this.journal = new JournalRepository(admin.jdbc);
        this.sinks = new SinkRepository(admin.jdbc);
        this.feed = new TransitionFeed(journal, new TransitionRows(admin.jdbc, admin.workSources));
        TransitionMetrics metrics = new TransitionMetrics(new SimpleMeterRegistry());
        this.feeders = Arrays.stream(sinks)
                .map(sink -> new SinkFeeder(sink, lease, feed, this.sinks, admin.transactions, clock, metrics))
                .toList();
        this.relay = new TransitionRelay(
                lease,
                journal,
                this.sinks,
                feeders,
                () -> onPositions.run(),
                () -> paused,
                admin.transactions,
                clock,
                properties,
                metrics,
                admin.systemLog);
    }

    /** Runs one pass of the relay and of each feeder. */
    void relay() throws Exception {
        relay.run();
        for (SinkFeeder feeder : feeders) {
            feeder.run();
        }
    }
}
