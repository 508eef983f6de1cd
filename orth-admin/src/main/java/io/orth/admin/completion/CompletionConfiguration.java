package io.orth.admin.completion;

import io.orth.admin.job.DecisionLedger;
import io.orth.admin.kernel.LostRetryDelay;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.run.Run;
import io.orth.admin.run.Runs;
import io.orth.admin.run.TurnSignal;
import io.orth.admin.triggering.TriggeringProperties;
import io.orth.admin.triggering.Triggers;
import io.orth.admin.triggering.routing.Broadcasts;
import io.orth.runtime.PeriodicLoop;
import java.time.Clock;
import java.util.List;
import java.util.function.Consumer;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Registers the listeners that create follow-ups. Children are dispatched immediately. The rescue loop dispatches retries and is woken when
 * retries are created.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(CompletionProperties.class)
class CompletionConfiguration {

    @Bean
    LostRetryDelay lostRetryDelay(CompletionProperties properties) {
        return new LostRetryDelay(properties.lateGrace());
    }

    @Bean
    DeadRuns deadRuns(
            JdbcClient jdbc,
            Runs runs,
            Transactions transactions,
            TurnSignal turns,
            @Qualifier("rescueLoop") PeriodicLoop rescueLoop) {
        return new DeadRuns(jdbc, runs, transactions, sender(turns, rescueLoop));
    }

    @Bean
    Retries retries(
            JdbcClient jdbc,
            Runs runs,
            DeadRuns deadRuns,
            LostRetryDelay lostRetryDelay,
            TurnSignal turns,
            @Qualifier("rescueLoop") PeriodicLoop rescueLoop) {
        return new Retries(jdbc, runs, deadRuns, lostRetryDelay.value(), sender(turns, rescueLoop));
    }

    private static Consumer<List<Run>> sender(TurnSignal turns, PeriodicLoop rescueLoop) {
        return made -> {
            turns.made(made);
            rescueLoop.wake();
        };
    }

    @Bean
    Children children(
            JdbcClient jdbc,
            Runs runs,
            Broadcasts broadcasts,
            DecisionLedger ledger,
            Clock clock,
            TriggeringProperties triggering,
            Triggers triggers) {
        return new Children(jdbc, runs, broadcasts, ledger, clock, triggering.claim(), triggers::send);
    }
}
