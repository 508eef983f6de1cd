package io.orth.admin.transition;

import io.micrometer.core.instrument.MeterRegistry;
import io.orth.admin.kernel.Backoff;
import io.orth.admin.kernel.ClusterLease;
import io.orth.admin.kernel.Installation;
import io.orth.admin.kernel.InstallationGuard;
import io.orth.admin.kernel.Loops;
import io.orth.admin.kernel.Node;
import io.orth.admin.kernel.RetryDecision;
import io.orth.admin.kernel.StandingLease;
import io.orth.admin.kernel.StateChanges;
import io.orth.admin.kernel.Ticker;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.systemlog.SystemLog;
import io.orth.runtime.LoopTiming;
import io.orth.runtime.PeriodicLoop;
import java.net.http.HttpClient;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Wires the journal and its relay. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(RelayProperties.class)
class TransitionConfiguration {

    /** Lease duration of the relay. After a crash, the next node takes over at its first poll after the lease expires. */
    private static final Duration LEASE = Duration.ofSeconds(6);

    private static final Duration LOOK_FOR_LEASE_EVERY = Duration.ofSeconds(2);
    private static final Duration FEED_EVERY = Duration.ofSeconds(1);
    private static final Duration WATCH_EVERY = Duration.ofSeconds(5);

    /** Journals status changes. Their listeners are listed where the features are wired together. */
    @Bean
    StateChanges stateChanges(TransitionJournal journal) {
        return new StateChanges(journal);
    }

    @Bean
    TransitionFeed transitionFeed(JournalRepository batches, TransitionJournal journal) {
        return new TransitionFeed(batches, journal.rows());
    }

    @Bean
    PeriodicLoop transitionRelay(
            Loops loops,
            JdbcClient jdbc,
            Node node,
            Ticker ticker,
            Clock clock,
            Transactions transactions,
            TransitionFeed feed,
            JournalRepository journal,
            SinkRepository repository,
            TransitionMetrics metrics,
            Installation installation,
            InstallationGuard guard,
            RelayProperties properties,
            SystemLog log,
            ObjectProvider<TransitionSink> furtherSinks) {
        List<TransitionSink> sinks = sinks(installation, properties, furtherSinks);
        StandingLease lease = new StandingLease(new ClusterLease(jdbc, "transition-relay", node, LEASE), LEASE, ticker);
        Backoff backoff = properties.backoff().toBackoff();
        LoopTiming timing = new LoopTiming(FEED_EVERY, failures -> RetryDecision.delayAfter(backoff, failures));
        List<SinkFeeder> feeders = sinks.stream()
                .map(sink -> new SinkFeeder(sink, lease, feed, repository, transactions, clock, metrics))
                .toList();
        List<PeriodicLoop> feeding = feeders.stream()
                .map(feeder -> loops.add("sink-" + feeder.name(), timing, feeder))
                .toList();
        TransitionRelay relay = new TransitionRelay(
                lease,
                journal,
                repository,
                feeders,
                () -> feeding.forEach(PeriodicLoop::wake),
                guard::isPaused,
                transactions,
                clock,
                properties,
                metrics,
                log);
        return loops.add("transition-relay", LoopTiming.every(LOOK_FOR_LEASE_EVERY), relay);
    }

    @Bean
    PeriodicLoop relayWatch(Loops loops, Sinks sinks, JournalRepository journal, Clock clock, MeterRegistry registry) {
        return loops.add("relay-watch", LoopTiming.every(WATCH_EVERY), new RelayWatch(sinks, journal, clock, registry));
    }

    private static List<TransitionSink> sinks(
            Installation installation, RelayProperties properties, ObjectProvider<TransitionSink> further) {
        List<TransitionSink> sinks = new ArrayList<>();
        RelayProperties.File file = properties.file();
        if (file.enabled()) {
            sinks.add(new FileSink(new RotatingFile(
                    installation.dataDir().resolve(file.path()), file.maxSize().toBytes(), file.files())));
        }
        if (properties.stdout()) {
            sinks.add(new StdoutSink());
        }
        if (!properties.webhook().isEmpty()) {
            HttpClient http = WebhookSink.client();
            new TreeMap<>(properties.webhook())
                    .forEach((name, webhook) -> sinks.add(new WebhookSink(name, webhook, http)));
        }
        further.stream().forEach(sinks::add);
        return sinks;
    }
}
