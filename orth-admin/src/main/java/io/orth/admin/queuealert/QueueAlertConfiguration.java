package io.orth.admin.queuealert;

import io.orth.admin.alarm.Alarms;
import io.orth.admin.kernel.LeasedLoops;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.queue.QueueReports;
import io.orth.admin.queue.Queues;
import io.orth.admin.systemlog.SystemLog;
import io.orth.runtime.PeriodicLoop;
import java.time.Clock;
import java.time.Duration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Wires queue alerts and their background duties. */
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
            LeasedLoops loops,
            JdbcClient jdbc,
            Queues queues,
            QueueReports reports,
            Alarms alarms,
            Transactions transactions,
            SystemLog log,
            Clock clock,
            QueueAlertProperties properties) {
        return loops.add(
                "queue-alerts",
                properties.checkEvery(),
                properties.checkEvery().plus(SPARE),
                lease -> new AlertMonitor(jdbc, queues, reports, alarms, lease, transactions, log, clock));
    }

    @Bean
    PeriodicLoop queueAlertPruner(LeasedLoops loops, JdbcClient jdbc, Clock clock, QueueAlertProperties properties) {
        AlertRepository alerts = new AlertRepository(jdbc);
        return loops.add(
                "queue-alert-pruner",
                PRUNE_EVERY,
                PRUNE_LEASE,
                PRUNE_BATCH,
                () -> alerts.prune(clock.instant().minus(properties.keep()), MOST_KEPT, PRUNE_BATCH));
    }
}
