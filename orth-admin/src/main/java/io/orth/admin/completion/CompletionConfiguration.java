package io.orth.admin.completion;

import io.orth.admin.job.DecisionLedger;
import io.orth.admin.kernel.LostRetryDelay;
import io.orth.admin.kernel.PeriodicLoop;
import io.orth.admin.kernel.RunIdGenerator;
import io.orth.admin.kernel.StateChanges;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.registry.Executors;
import io.orth.admin.registry.RegistryProperties;
import io.orth.admin.run.Runs;
import io.orth.admin.systemlog.SystemLog;
import io.orth.admin.triggering.TriggeringProperties;
import io.orth.admin.triggering.Triggers;
import io.orth.admin.triggering.routing.Broadcasts;
import java.time.Clock;
import java.util.List;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Puts what follows runs between everyone who ends them and the journal. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(CompletionProperties.class)
class CompletionConfiguration {

    /** What it uses itself is journalled below it: nothing follows a run that was just made. */
    @Bean
    @Primary
    StateChanges completion(
            @Qualifier("fixedDelays") StateChanges journal,
            JdbcClient jdbc,
            RunIdGenerator ids,
            Transactions transactions,
            RegistryProperties registry,
            DecisionLedger ledger,
            Clock clock,
            TriggeringProperties triggering,
            LostRetryDelay lostRetryDelay,
            SystemLog log,
            DeadRuns deadRuns,
            ApplicationEventPublisher events) {
        Runs runs = new Runs(jdbc, journal, ids, transactions);
        Executors executors = new Executors(jdbc, journal, transactions, registry, log);
        return new Completion(
                journal,
                new Retries(jdbc, runs, deadRuns, lostRetryDelay.value()),
                new Children(jdbc, runs, new Broadcasts(executors), ledger, clock, triggering.claim()),
                new SkippedRuns(jdbc, ledger),
                events);
    }

    @Bean
    LostRetryDelay lostRetryDelay(CompletionProperties properties) {
        return new LostRetryDelay(properties.lateGrace());
    }

    @Bean
    DeadRuns deadRuns(
            @Qualifier("fixedDelays") StateChanges journal,
            JdbcClient jdbc,
            RunIdGenerator ids,
            Transactions transactions,
            ApplicationEventPublisher events) {
        return new DeadRuns(
                jdbc,
                new Runs(jdbc, journal, ids, transactions),
                transactions,
                again -> events.publishEvent(new FollowUpsMade(List.of(), again)));
    }

    /** Children are sent at once; the loop that takes up retries learns when the next one is due. */
    @Bean
    ApplicationListener<PayloadApplicationEvent<FollowUpsMade>> sendFollowUps(
            Triggers triggers, @Qualifier("rescueLoop") PeriodicLoop rescueLoop) {
        return event -> {
            triggers.send(event.getPayload().children());
            if (!event.getPayload().retries().isEmpty()) {
                rescueLoop.wake();
            }
        };
    }
}
