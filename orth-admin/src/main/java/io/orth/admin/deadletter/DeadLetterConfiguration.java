package io.orth.admin.deadletter;

import io.orth.admin.kernel.LeasedLoops;
import io.orth.admin.kernel.Loops;
import io.orth.runtime.LoopTiming;
import io.orth.runtime.PeriodicLoop;
import java.time.Duration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Wires the list of dead letters and its background duties. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(DeadLetterProperties.class)
class DeadLetterConfiguration {

    private static final Duration SUM_EVERY = Duration.ofSeconds(2);
    private static final Duration SUM_LEASE = Duration.ofSeconds(10);
    private static final int SUM_BATCH = 10_000;
    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

    /** Retention of finished bulk operations, and of groups that have no dead letters left. */
    private static final Duration KEEP = Duration.ofDays(30);

    private static final int KEEP_BATCH = 500;

    @Bean
    PeriodicLoop operationLoop(Loops loops, OperationDuty duty, Operations operations) {
        PeriodicLoop loop = loops.add("operations", LoopTiming.every(LOOK_EVERY), duty);
        operations.onBegun(loop::wake);
        return loop;
    }

    @Bean
    PeriodicLoop deadLetterSums(LeasedLoops loops, OperationRepository operations, DeadLetterGroups groups) {
        return loops.add("dead-letter-sums", SUM_EVERY, SUM_LEASE, SUM_BATCH, () -> {
            operations.prune(KEEP, KEEP_BATCH);
            groups.prune(KEEP, KEEP_BATCH);
            return groups.fold(SUM_BATCH);
        });
    }
}
