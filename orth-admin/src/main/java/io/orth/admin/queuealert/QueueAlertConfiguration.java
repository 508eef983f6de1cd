package io.orth.admin.queuealert;

import io.orth.admin.alarm.Alarms;
import io.orth.admin.kernel.ClusterLease;
import io.orth.admin.kernel.LeasedDuty;
import io.orth.admin.kernel.Loops;
import io.orth.admin.kernel.Node;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.queue.QueueReports;
import io.orth.admin.queue.Queues;
import io.orth.admin.systemlog.SystemLog;
import io.orth.runtime.LoopTiming;
import io.orth.runtime.PeriodicLoop;
import java.time.Clock;
import java.time.Duration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Puts alerts on queues together and adds their background duties. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(QueueAlertProperties.class)
class QueueAlertConfiguration {

    private static final Duration SPARE = Duration.ofSeconds(10);
    private static final Duration PRUNE_EVERY = Duration.ofMinutes(10);
    private static final Duration PRUNE_LEASE = Duration.ofMinutes(15);
    private static final int PRUNE_BATCH = 500;
    private static final int MOST_KEPT = 100_000;

    @Bean
    PeriodicLoop queueAlertMonitor(
            Loops loops,
            JdbcClient jdbc,
            Queues queues,
            QueueReports reports,
            Alarms alarms,
            Transactions transactions,
            SystemLog log,
            Node node,
            Clock clock,
            QueueAlertProperties properties) {
        ClusterLease lease = new ClusterLease(
                jdbc, "queue-alerts", node, properties.checkEvery().plus(SPARE));
        AlertMonitor monitor = new AlertMonitor(jdbc, queues, reports, alarms, lease, transactions, log, clock);
        return loops.add("queue-alerts", LoopTiming.every(properties.checkEvery()), new LeasedDuty(lease, monitor));
    }

    @Bean
    PeriodicLoop queueAlertPruner(
            Loops loops,
            JdbcClient jdbc,
            Transactions transactions,
            Node node,
            Clock clock,
            QueueAlertProperties properties) {
        ClusterLease lease = new ClusterLease(jdbc, "queue-alert-pruner", node, PRUNE_LEASE);
        AlertRepository alerts = new AlertRepository(jdbc);
        LeasedDuty pruner = LeasedDuty.inTransactions(
                lease,
                transactions,
                PRUNE_BATCH,
                () -> alerts.prune(clock.instant().minus(properties.keep()), MOST_KEPT, PRUNE_BATCH));
        return loops.add("queue-alert-pruner", LoopTiming.every(PRUNE_EVERY), pruner);
    }
}
