package io.orth.admin.deadletter;

import io.orth.admin.kernel.LeasedLoops;
import io.orth.admin.kernel.Loops;
import io.orth.admin.kernel.StateChanges;
import io.orth.admin.kernel.Ticker;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.systemlog.SystemLog;
import io.orth.runtime.LoopTiming;
import io.orth.runtime.PeriodicLoop;
import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Puts the list of dead letters together and adds its background duties. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(DeadLetterProperties.class)
class DeadLetterConfiguration {

    private static final Duration SUM_EVERY = Duration.ofSeconds(2);
    private static final Duration SUM_LEASE = Duration.ofSeconds(10);
    private static final int SUM_BATCH = 10_000;
    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

    /** How long operations that are over are listed, and failures that have no dead letters any more are remembered. */
    private static final Duration KEEP = Duration.ofDays(30);

    private static final int KEEP_BATCH = 500;

    @Bean
    PeriodicLoop operationLoop(
            Loops loops,
            JdbcClient jdbc,
            StateChanges changes,
            DeadLetterList letters,
            List<DeadLetterOwner> owners,
            WaitingMessages waiting,
            Operations operations,
            Transactions transactions,
            Ticker ticker,
            SystemLog systemLog,
            DeadLetterProperties properties) {
        PeriodicLoop loop = loops.add(
                "operations",
                LoopTiming.every(LOOK_EVERY),
                new OperationDuty(
                        jdbc,
                        changes,
                        letters,
                        owners,
                        waiting,
                        transactions,
                        ticker,
                        systemLog,
                        properties.retriesPerSecond()));
        operations.onBegun(loop::wake);
        return loop;
    }

    @Bean
    PeriodicLoop deadLetterSums(LeasedLoops loops, JdbcClient jdbc, StateChanges changes, DeadLetterGroups groups) {
        OperationRepository operations = new OperationRepository(jdbc, changes);
        return loops.add("dead-letter-sums", SUM_EVERY, SUM_LEASE, SUM_BATCH, () -> {
            operations.prune(KEEP, KEEP_BATCH);
            groups.prune(KEEP, KEEP_BATCH);
            return groups.fold(SUM_BATCH);
        });
    }
}
