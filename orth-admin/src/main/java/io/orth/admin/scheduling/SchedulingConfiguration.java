package io.orth.admin.scheduling;

import io.orth.admin.job.DecisionLedger;
import io.orth.admin.job.JobChanged;
import io.orth.admin.kernel.Loops;
import io.orth.admin.kernel.Transactions;
import io.orth.runtime.Duty.Pass;
import io.orth.runtime.LoopTiming;
import io.orth.runtime.PeriodicLoop;
import java.time.Clock;
import java.time.Duration;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Registers the scanner's loop, which job changes wake, and the other scheduling loops. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(SchedulingProperties.class)
class SchedulingConfiguration {

    private static final Duration RESCUE_EVERY = Duration.ofSeconds(10);
    private static final Duration PRUNE_EVERY = Duration.ofMinutes(10);
    private static final int PRUNE_BATCH = 1_000;

    @Bean
    PeriodicLoop scheduleLoop(Loops loops, ScheduleScanner scanner, SchedulingProperties properties) {
        return loops.add("schedule-scanner", LoopTiming.every(properties.lookEvery()), scanner);
    }

    @Bean
    PeriodicLoop awaitedRunLoop(Loops loops, AwaitedRunRescuer rescuer) {
        return loops.add("awaited-run-rescuer", LoopTiming.every(RESCUE_EVERY), rescuer);
    }

    @Bean
    PeriodicLoop decisionPrunerLoop(
            Loops loops,
            DecisionLedger ledger,
            Transactions transactions,
            Clock clock,
            SchedulingProperties properties) {
        return loops.add(
                "decision-pruner",
                LoopTiming.every(PRUNE_EVERY),
                () -> Pass.after(
                        transactions.call(
                                () -> ledger.prune(clock.instant().minus(properties.keepDecisions()), PRUNE_BATCH)),
                        PRUNE_BATCH));
    }

    @Bean
    ApplicationListener<PayloadApplicationEvent<JobChanged>> wakeOnChange(
            @Qualifier("scheduleLoop") PeriodicLoop scheduleLoop) {
        return event -> scheduleLoop.wake();
    }
}
