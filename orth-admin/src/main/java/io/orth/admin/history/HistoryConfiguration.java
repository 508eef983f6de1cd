package io.orth.admin.history;

import io.orth.admin.kernel.LeasedLoops;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.systemlog.SystemLog;
import io.orth.runtime.PeriodicLoop;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Wires the run history and its background duties. */
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
            LeasedLoops loops,
            JdbcClient jdbc,
            RunReports reports,
            Transactions transactions,
            Clock clock,
            HistoryProperties properties,
            SystemLog log) {
        List<KeptDays> kept = List.of(
                KeptDays.ofRuns(jdbc, reports, clock, properties),
                KeptDays.ofTransitions(jdbc, properties),
                KeptDays.ofTransitionPacks(jdbc, properties),
                KeptDays.ofMessages(jdbc, properties));
        return loops.add(
                "history-keeper",
                KEEP_EVERY,
                KEEP_LEASE,
                lease -> new HistoryKeeper(kept, lease::confirm, transactions, clock, log));
    }

    @Bean
    PeriodicLoop tallyFolder(LeasedLoops loops, RunReports reports) {
        return loops.add("tally-folder", FOLD_EVERY, FOLD_LEASE, FOLD_BATCH, () -> reports.fold(FOLD_BATCH));
    }
}
