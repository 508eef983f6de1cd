package io.orth.admin.pipeline;

import io.orth.admin.kernel.LeasedLoops;
import io.orth.admin.kernel.Loops;
import io.orth.runtime.LoopTiming;
import io.orth.runtime.PeriodicLoop;
import java.time.Duration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Registers the background loops of pipelines. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(PipelineProperties.class)
class PipelineConfiguration {

    private static final Duration LOOK_FOR_STRAYS = Duration.ofSeconds(10);
    private static final Duration MEASURE_EVERY = Duration.ofSeconds(5);
    private static final Duration KEEP_EVERY = Duration.ofMinutes(1);
    private static final Duration KEEP_LEASE = Duration.ofMinutes(3);

    @Bean
    PipelineSignals pipelineSignals(PipelineProperties properties, Loops loops) {
        return new PipelineSignals(properties.webhooks().keySet(), loops::wake);
    }

    @Bean
    PeriodicLoop outboxLoop(
            OutboxDispatcher dispatcher, WebhookDispatcher webhooks, PipelineProperties properties, Loops loops) {
        LoopTiming timing = LoopTiming.every(properties.outbox().pollEvery());
        properties
                .webhooks()
                .keySet()
                .forEach(name -> loops.add(PipelineSignals.WEBHOOK + name, timing, () -> webhooks.run(name)));
        loops.add("outbox-strays", LoopTiming.every(LOOK_FOR_STRAYS), () -> webhooks.run(null));
        return loops.add(PipelineSignals.DISPATCHER, timing, dispatcher);
    }

    @Bean
    PeriodicLoop reconcilerLoop(PipelineReconciler reconciler, PipelineProperties properties, Loops loops) {
        return loops.add(PipelineSignals.RECONCILER, LoopTiming.every(properties.lookEvery()), reconciler);
    }

    @Bean
    PeriodicLoop pipelineWatch(PipelineTables tables, PipelineMetrics metrics, Loops loops) {
        return loops.add(
                "pipeline-watch", LoopTiming.every(MEASURE_EVERY), () -> metrics.measure(tables.roots, tables.outbox));
    }

    @Bean
    PeriodicLoop pipelineKeeperLoop(PipelineKeeper keeper, LeasedLoops loops) {
        return loops.add("pipeline-keeper", KEEP_EVERY, KEEP_LEASE, lease -> term -> keeper.run());
    }
}
