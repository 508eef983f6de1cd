package io.orth.admin.registry;

import io.micrometer.core.instrument.MeterRegistry;
import io.orth.admin.kernel.LeasedLoops;
import io.orth.admin.kernel.Liveness;
import io.orth.admin.kernel.Loops;
import io.orth.admin.kernel.Ticker;
import io.orth.admin.systemlog.SystemLog;
import io.orth.protocol.HeartbeatRule;
import io.orth.runtime.LoopTiming;
import io.orth.runtime.PeriodicLoop;
import io.orth.runtime.Threads;
import java.time.Duration;
import java.util.List;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Wiring of the registry's background duties. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({RegistryProperties.class, XxlJobProperties.class})
class RegistryConfiguration {

    private static final int PROBES_AT_ONCE = 32;
    private static final int PRUNE_BATCH = 500;
    private static final Duration PRUNE_EVERY = Duration.ofMinutes(1);
    private static final int SAMPLE_BATCH = 5_000;
    private static final Duration SAMPLE_EVERY = Duration.ofMinutes(1);
    private static final Duration WATCH_EVERY = Duration.ofSeconds(5);
    private static final Duration REJECTIONS_EVERY = Duration.ofSeconds(2);
    private static final Duration PROBE_UNREACHABLE_EVERY = Duration.ofSeconds(5);
    private static final int UNREACHABLE_CAPACITY = 100_000;
    private static final Duration PRUNE_LEASE = Duration.ofMinutes(3);
    private static final int INQUIRY_CONCURRENCY = 16;
    private static final int INQUIRY_CAPACITY = 20_000;
    private static final Duration VERIFY_LEASE = Duration.ofSeconds(15);
    private static final Duration VERIFY_LEASE_RENEWAL = Duration.ofSeconds(5);

    @Bean
    HeartbeatRule heartbeatRule(RegistryProperties properties) {
        return properties.heartbeats();
    }

    @Bean
    OutageGuard outageGuard(
            Executors executors,
            HeartbeatRule heartbeats,
            RegistryProperties properties,
            SystemLog systemLog,
            List<OutageListener> listeners,
            MeterRegistry registry) {
        return OutageGuard.orth(executors, heartbeats, properties.outageGracePeriod(), systemLog, notifying(listeners))
                .register(registry);
    }

    @Bean
    OutageGuard foreignOutageGuard(
            Executors executors,
            XxlJobProperties foreign,
            RegistryProperties properties,
            SystemLog systemLog,
            List<OutageListener> listeners,
            MeterRegistry registry) {
        return OutageGuard.xxlJob(
                        executors,
                        foreign.silentAfter(),
                        properties.outageGracePeriod(),
                        systemLog,
                        notifying(listeners))
                .register(registry);
    }

    private static OutageListener notifying(List<OutageListener> listeners) {
        return (kind, change, text) -> listeners.forEach(listener -> listener.changed(kind, change, text));
    }

    @Bean
    PeriodicLoop registrySweeper(
            Loops loops,
            Executors executors,
            Probe probe,
            Liveness liveness,
            @Qualifier("outageGuard") OutageGuard guard,
            RegistryProperties properties) {
        RegistrySweeper sweeper =
                new RegistrySweeper(executors, probe, Threads.pool("probe", PROBES_AT_ONCE), liveness, guard);
        return loops.add("registry-sweeper", LoopTiming.every(properties.sweepEvery()), sweeper);
    }

    @Bean
    Reachability reachability(Executors executors, Probe probe, SystemLog log) {
        return new Reachability(executors, probe, Threads.pool("reach", PROBES_AT_ONCE, UNREACHABLE_CAPACITY), log);
    }

    @Bean
    PeriodicLoop reachabilityLoop(Loops loops, Reachability reachability) {
        PeriodicLoop loop = loops.add("executor-reachability", LoopTiming.every(PROBE_UNREACHABLE_EVERY), reachability);
        reachability.onFailure(loop::wake);
        return loop;
    }

    @Bean
    PeriodicLoop foreignSweeper(
            Loops loops,
            Executors executors,
            Liveness liveness,
            RegistryProperties registry,
            XxlJobProperties foreign,
            @Qualifier("foreignOutageGuard") OutageGuard guard) {
        return loops.add(
                "foreign-sweeper",
                LoopTiming.every(registry.sweepEvery()),
                new ForeignSweeper(executors, liveness, foreign.silentAfter(), guard));
    }

    @Bean
    PeriodicLoop executorSampler(LeasedLoops loops, ExecutorHistory history, RegistryProperties properties) {
        return loops.add("executor-sampler", SAMPLE_EVERY, PRUNE_LEASE, SAMPLE_BATCH, () -> {
            history.sample();
            return history.prune(properties.keepMetrics(), SAMPLE_BATCH);
        });
    }

    @Bean
    PeriodicLoop executorWatch(Loops loops, Executors executors, MeterRegistry registry) {
        return loops.add("executor-watch", LoopTiming.every(WATCH_EVERY), new ExecutorWatch(executors, registry));
    }

    @Bean
    PeriodicLoop lostWorkDetector(
            LeasedLoops loops,
            List<HeldWork<?>> kinds,
            Executors executors,
            WorkInquiry inquiry,
            Ticker ticker,
            RegistryProperties properties) {
        LostWorkDetector detector = new LostWorkDetector(
                kinds,
                executors,
                inquiry,
                Threads.pool("inquiry", INQUIRY_CONCURRENCY, INQUIRY_CAPACITY),
                ticker,
                properties.verifyInterval(),
                properties.verifyTimeout());
        boolean isRare = properties.verifyInterval().compareTo(VERIFY_LEASE_RENEWAL) > 0;
        return loops.add(
                "lost-work-detector",
                isRare ? VERIFY_LEASE_RENEWAL : properties.verifyInterval(),
                VERIFY_LEASE,
                lease -> term -> detector.run());
    }

    @Bean
    PeriodicLoop rejectionWriter(Loops loops, RejectedRegistrations rejections) {
        return loops.add("rejection-writer", LoopTiming.every(REJECTIONS_EVERY), rejections);
    }

    @Bean
    PeriodicLoop executorPruner(LeasedLoops loops, Executors executors, RegistryProperties properties) {
        return loops.add(
                "executor-pruner",
                PRUNE_EVERY,
                PRUNE_LEASE,
                PRUNE_BATCH,
                () -> executors.prune(properties.keepGone(), PRUNE_BATCH));
    }
}
