package io.orth.admin.queue;

import io.micrometer.core.instrument.MeterRegistry;
import io.orth.admin.deadletter.DeadLetterKeeper;
import io.orth.admin.deadletter.DeadLetterList;
import io.orth.admin.deadletter.DeadLetterOwner;
import io.orth.admin.kernel.LeasedLoops;
import io.orth.admin.kernel.Loops;
import io.orth.admin.kernel.LostRetryDelay;
import io.orth.admin.kernel.Signals;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.registry.RegistryProperties;
import io.orth.admin.systemlog.SystemLog;
import io.orth.runtime.LoopTiming;
import io.orth.runtime.PeriodicLoop;
import io.orth.runtime.Threads;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Wires queues and their background duties. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(QueueProperties.class)
class QueueConfiguration {

    private static final int THREADS = 8;
    private static final int WAITING_TRIES = 1_000;
    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);
    private static final Duration TELL_EVERY = Duration.ofSeconds(1);
    private static final Duration KEEP_EVERY = Duration.ofSeconds(2);
    private static final Duration KEEP_LEASE = Duration.ofSeconds(10);
    private static final int KEEP_BATCH = 10_000;
    private static final Duration EXPIRE_EVERY = Duration.ofMinutes(10);
    private static final Duration EXPIRE_LEASE = Duration.ofMinutes(15);
    private static final int EXPIRE_BATCH = 500;
    private static final Duration WATCH_EVERY = Duration.ofSeconds(5);
    private static final Duration RESCUE_EVERY = Duration.ofSeconds(2);

    @Bean
    QueueMetrics queueMetrics(MeterRegistry registry, ObjectProvider<PrometheusRegistry> prometheus) {
        QueueMetrics metrics = new QueueMetrics(registry);
        prometheus.ifAvailable(scraped -> metrics.histograms().forEach(scraped::register));
        return metrics;
    }

    @Bean
    PeriodicLoop queueWatchLoop(Loops loops, QueueWatch watch) {
        return loops.add("queue-watch", LoopTiming.every(WATCH_EVERY), watch);
    }

    @Bean
    GuestService guestService(QueueDriver driver) {
        return new GuestService(driver, Threads.pool("queue", THREADS, WAITING_TRIES));
    }

    @Bean
    PeriodicLoop queueDesk(
            Loops loops, WorkDesk desk, GuestService guests, QueueSignals queueSignals, Signals signals) {
        PeriodicLoop telling = loops.add("queue-signals", LoopTiming.every(TELL_EVERY), queueSignals);
        queueSignals.connect(guests::wake, telling::wake);
        signals.on(QueueSignals.CHANNEL, guests::wake);
        PeriodicLoop looking = loops.add("queue-desk", LoopTiming.every(LOOK_EVERY), desk);
        guests.connect(looking::wake);
        return looking;
    }

    @Bean
    DeadLetterOwner deadMessages(JdbcClient jdbc, QueueDriver driver, DeadLetters deadLetters) {
        return new DeadMessages(jdbc, driver, deadLetters, DeadMessages.MOST_READY);
    }

    @Bean
    PeriodicLoop queueKeeper(
            LeasedLoops loops,
            JdbcClient jdbc,
            QueueReports reports,
            Revocations revocations,
            Clock clock,
            QueueProperties properties) {
        return loops.add("queue-keeper", KEEP_EVERY, KEEP_LEASE, KEEP_BATCH, () -> {
            int keys = MessageKeys.expire(jdbc, KEEP_BATCH) + PushRepository.expire(jdbc, KEEP_BATCH);
            int revoked = revocations.prune(KEEP_BATCH);
            int pruned = reports.prune(clock.instant().minus(properties.keepReports()), KEEP_BATCH);
            return Math.max(reports.fold(KEEP_BATCH), Math.max(keys, Math.max(revoked, pruned)));
        });
    }

    @Bean
    PeriodicLoop deadLetterKeeper(
            LeasedLoops loops,
            DeadLetterList letters,
            List<DeadLetterOwner> owners,
            Transactions transactions,
            QueueProperties properties) {
        DeadLetterKeeper keeper = new DeadLetterKeeper(letters, owners, transactions);
        return loops.add(
                "dead-letter-keeper",
                EXPIRE_EVERY,
                EXPIRE_LEASE,
                lease -> term -> keeper.expire(properties.keepDead(), EXPIRE_BATCH, () -> lease.confirm(term)));
    }

    @Bean
    PeriodicLoop messageRescuer(
            Loops loops,
            QueueDriver driver,
            SystemLog systemLog,
            RegistryProperties registry,
            LostRetryDelay lostRetryDelay) {
        return loops.add(
                "message-rescuer",
                LoopTiming.every(RESCUE_EVERY),
                new MessageRescuer(driver, systemLog, registry.deregistrationGracePeriod(), lostRetryDelay.value()));
    }
}
