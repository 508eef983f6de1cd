package io.orth.admin.boot;

import io.micrometer.core.instrument.MeterRegistry;
import io.orth.admin.kernel.ClusterLease;
import io.orth.admin.kernel.DatabaseClock;
import io.orth.admin.kernel.InstallationGuard;
import io.orth.admin.kernel.Liveness;
import io.orth.admin.kernel.Loops;
import io.orth.admin.kernel.Node;
import io.orth.admin.kernel.NodeLease;
import io.orth.admin.kernel.ReservedConnections;
import io.orth.admin.kernel.Signals;
import io.orth.admin.kernel.Ticker;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.systemlog.SystemLog;
import io.orth.postgres.EmbeddedPostgres;
import io.orth.protocol.HeartbeatRule;
import io.orth.runtime.Duty;
import io.orth.runtime.LoopObserver;
import io.orth.runtime.LoopTiming;
import io.orth.runtime.PeriodicLoop;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.info.BuildProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Wiring of this node's clock, leases and background loops. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(InstallationProperties.class)
class KernelConfiguration {

    private static final Logger log = LoggerFactory.getLogger(KernelConfiguration.class);

    private static final String NODE_LEASE_LOOP = "node-lease";
    private static final String INSTALLATION_LOOP = "installation";

    /**
     * Loops that run while the installation is paused: they change nothing outside the installation and process no work. All others pause.
     */
    static final Set<String> WHILE_PAUSED = Set.of(
            INSTALLATION_LOOP,
            NODE_LEASE_LOOP,
            "database-clock",
            "signals",
            "snapshot-watch",
            "cluster-news",
            "loop-news",
            "system-log-archiver",
            "system-log-tail",
            "system-log-pruner",
            "rejection-writer",
            "executor-sampler",
            "executor-watch",
            "queue-watch",
            "pipeline-watch",
            "transition-relay",
            "relay-watch");

    private static final String PAUSED = "PAUSED";
    private static final Duration INSTALLATION_CHECK = Duration.ofSeconds(5);
    private static final Duration SAMPLE_EVERY = Duration.ofSeconds(10);
    private static final Duration SIGNALS_EVERY = Duration.ofSeconds(1);
    private static final Duration SNAPSHOT_CHECK = Duration.ofSeconds(5);
    private static final Duration OLD_SNAPSHOT = Duration.ofMinutes(10);
    private static final Duration LONGEST_GAP = NodeLease.RENEW_EVERY.multipliedBy(3);

    @Bean
    Ticker ticker() {
        return Ticker.system();
    }

    @Bean
    Node node(BuildProperties build) {
        String host = hostName();
        long pid = ProcessHandle.current().pid();
        String random = UUID.randomUUID().toString().substring(0, 8);
        return new Node("%s:%d:%s".formatted(host, pid, random), host, pid, build.getVersion());
    }

    @Bean
    HealthIndicator databaseClockHealth(DatabaseClock clock) {
        return new DatabaseClockHealth(clock::setback);
    }

    @Bean(destroyMethod = "release")
    NodeLease nodeLease(JdbcClient jdbc, Node node, Ticker ticker) {
        return new NodeLease(jdbc, node, ticker);
    }

    @Bean
    Liveness liveness(Ticker ticker, HeartbeatRule heartbeats) {
        Duration slack = heartbeats.slack();
        Duration gap = slack.compareTo(LONGEST_GAP) < 0 ? slack : LONGEST_GAP;
        return new Liveness(NODE_LEASE_LOOP, heartbeats.healthyFor(), gap, ticker);
    }

    /** Named {@code database} in the health endpoint. */
    @Bean
    HealthIndicator databaseHealthIndicator(Liveness liveness) {
        return () -> liveness.isWell() ? Health.up().build() : Health.down().build();
    }

    @Bean
    Signals signals(@Qualifier("listenConnections") DataSource database, Ticker ticker) {
        return new Signals(database, ticker);
    }

    @Bean
    InstallationGuard installationGuard(
            JdbcClient jdbc,
            Transactions transactions,
            ObjectProvider<EmbeddedPostgres> embedded,
            InstallationProperties properties) {
        EmbeddedPostgres own = embedded.getIfAvailable();
        return new InstallationGuard(
                jdbc, transactions, own == null ? null : own.directory(), properties.startPaused());
    }

    /** Named {@code installation} in the health endpoint. */
    @Bean
    HealthIndicator installationHealthIndicator(InstallationGuard installation) {
        return () -> installation.isPaused()
                ? Health.status(PAUSED).build()
                : Health.up().build();
    }

    @Bean
    Loops loops(
            DatabaseClock clock,
            NodeLease lease,
            Liveness liveness,
            @Qualifier("loopNews") LoopObserver news,
            InstallationGuard installation,
            Signals signals,
            DatabaseProperties database) {
        Loops loops = new Loops(
                clock, List.of(liveness, news), name -> !installation.isPaused() || WHILE_PAUSED.contains(name));
        loops.add(INSTALLATION_LOOP, LoopTiming.every(INSTALLATION_CHECK), ReservedConnections.duty(installation));
        signals.on(InstallationGuard.SIGNALS, said -> loops.wake(INSTALLATION_LOOP));
        installation.onResume(loops::wakeAll);
        loops.add(NODE_LEASE_LOOP, LoopTiming.every(NodeLease.RENEW_EVERY), ReservedConnections.duty(lease));
        loops.add("database-clock", LoopTiming.every(SAMPLE_EVERY), ReservedConnections.duty(clock));
        signals.on(ClusterLease.SIGNALS, loops::wake);
        if (database.listens()) {
            loops.add("signals", LoopTiming.every(SIGNALS_EVERY), signals);
        } else {
            log.info(
                    "no notifications are heard through a pooler, so this admin polls: orth.database.listen-url names a way"
                            + " without the pooler");
        }
        return loops;
    }

    /** Uses a reserved connection: an old snapshot can exhaust the shared ones. */
    @Bean
    PeriodicLoop snapshotWatch(Loops loops, JdbcClient jdbc, Ticker ticker, MeterRegistry meters, SystemLog systemLog) {
        Duty watch = new SnapshotWatch(jdbc, ticker, meters, systemLog, OLD_SNAPSHOT);
        return loops.add("snapshot-watch", LoopTiming.every(SNAPSHOT_CHECK), ReservedConnections.duty(watch));
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }
}
