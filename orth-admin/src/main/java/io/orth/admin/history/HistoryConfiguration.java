package io.orth.admin.history;

import io.orth.admin.kernel.ClusterLease;
import io.orth.admin.kernel.LeasedDuty;
import io.orth.admin.kernel.Loops;
import io.orth.admin.kernel.Node;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.systemlog.SystemLog;
import io.orth.runtime.LoopTiming;
import io.orth.runtime.PeriodicLoop;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Puts the history of runs together and adds its background duties. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(HistoryProperties.class)
class HistoryConfiguration {

    private static final Duration KEEP_EVERY = Duration.ofMinutes(10);
    private static final Duration KEEP_LEASE = Duration.ofMinutes(15);
    private static final Duration FOLD_EVERY = Duration.ofSeconds(5);
    private static final Duration FOLD_LEASE = Duration.ofSeconds(10);
    private static final int FOLD_BATCH = 10_000;

    @Bean
    PeriodicLoop historyKeeper(
            Loops loops,
            JdbcClient jdbc,
            RunReports reports,
            Transactions transactions,
            Node node,
            Clock clock,
            HistoryProperties properties,
            SystemLog log) {
        ClusterLease lease = new ClusterLease(jdbc, "history-keeper", node, KEEP_LEASE);
        HistoryKeeper keeper = new HistoryKeeper(
                List.of(
                        KeptDays.ofRuns(jdbc, reports, clock, properties),
                        KeptDays.ofTransitions(jdbc, properties),
                        KeptDays.ofTransitionPacks(jdbc, properties),
                        KeptDays.ofMessages(jdbc, properties)),
                lease::confirm,
                transactions,
                clock,
                log);
        return loops.add("history-keeper", LoopTiming.every(KEEP_EVERY), new LeasedDuty(lease, keeper));
    }

    @Bean
    PeriodicLoop tallyFolder(Loops loops, JdbcClient jdbc, RunReports reports, Transactions transactions, Node node) {
        ClusterLease lease = new ClusterLease(jdbc, "tally-folder", node, FOLD_LEASE);
        LeasedDuty folder = LeasedDuty.inTransactions(lease, transactions, FOLD_BATCH, () -> reports.fold(FOLD_BATCH));
        return loops.add("tally-folder", LoopTiming.every(FOLD_EVERY), folder);
    }
}
