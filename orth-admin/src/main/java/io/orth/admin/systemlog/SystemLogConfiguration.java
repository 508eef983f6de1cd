package io.orth.admin.systemlog;

import io.orth.admin.kernel.Cluster;
import io.orth.admin.kernel.DatabaseClock;
import io.orth.admin.kernel.Installation;
import io.orth.admin.kernel.LeasedLoops;
import io.orth.admin.kernel.Liveness;
import io.orth.admin.kernel.Loops;
import io.orth.admin.kernel.Node;
import io.orth.admin.kernel.Ticker;
import io.orth.runtime.LoopTiming;
import io.orth.runtime.PeriodicLoop;
import java.time.Clock;
import java.time.Duration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Wires the system log and its background duties. Publishing needs none of these duties. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(SystemLogProperties.class)
class SystemLogConfiguration {

    private static final Duration ARCHIVE_EVERY = Duration.ofMillis(250);
    private static final Duration TAIL_EVERY = Duration.ofSeconds(1);
    private static final Duration LOOP_NEWS_EVERY = Duration.ofSeconds(1);
    private static final Duration CLUSTER_NEWS_EVERY = Duration.ofSeconds(5);
    private static final Duration PRUNE_EVERY = Duration.ofMinutes(10);
    private static final Duration PRUNE_LEASE = Duration.ofMinutes(15);
    private static final int PRUNE_BATCH = 5_000;

    @Bean(destroyMethod = "close")
    LogArchiver systemLogArchiver(
            SystemLog log,
            Backlog backlog,
            SystemLogArchive archive,
            SystemLogMetrics metrics,
            Ticker ticker,
            Node node,
            Installation installation,
            SystemLogProperties properties) {
        LogSpill spill = new LogSpill(
                installation.dataDir().resolve(properties.spillDir()),
                node.id(),
                properties.spillSize().toBytes());
        return new LogArchiver(log, backlog, spill, archive, metrics, ticker);
    }

    @Bean
    PeriodicLoop systemLogArchiverLoop(Loops loops, LogArchiver archiver) {
        return loops.add("system-log-archiver", LoopTiming.every(ARCHIVE_EVERY), archiver);
    }

    @Bean
    PeriodicLoop systemLogTail(Loops loops, SystemLogArchive archive, LiveLines live, Ticker ticker) {
        return loops.add("system-log-tail", LoopTiming.every(TAIL_EVERY), new LogTail(archive, live, ticker));
    }

    @Bean
    PeriodicLoop loopNewsLoop(Loops loops, LoopNews news) {
        return loops.add("loop-news", LoopTiming.every(LOOP_NEWS_EVERY), news);
    }

    @Bean
    PeriodicLoop clusterNews(Loops loops, Cluster cluster, Node node, Liveness liveness, SystemLog log) {
        return loops.add(
                "cluster-news", LoopTiming.every(CLUSTER_NEWS_EVERY), new ClusterNews(cluster, node, liveness, log));
    }

    @Bean
    PeriodicLoop clockNews(Loops loops, DatabaseClock clock, SystemLog log) {
        return loops.add("clock-news", LoopTiming.every(CLUSTER_NEWS_EVERY), new ClockNews(clock::setback, log));
    }

    @Bean
    PeriodicLoop systemLogPruner(
            LeasedLoops loops, SystemLogArchive archive, Clock clock, SystemLogProperties properties) {
        return loops.add(
                "system-log-pruner",
                PRUNE_EVERY,
                PRUNE_LEASE,
                PRUNE_BATCH,
                () -> archive.cleanup(clock.instant().minus(properties.keep()), PRUNE_BATCH));
    }
}
