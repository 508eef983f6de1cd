package io.orth.admin.pipeline;

import io.micrometer.core.instrument.MeterRegistry;
import io.orth.admin.alarm.Alarms;
import io.orth.admin.kernel.LeasedLoops;
import io.orth.admin.kernel.Loops;
import io.orth.admin.kernel.Node;
import io.orth.admin.kernel.RunIdGenerator;
import io.orth.admin.kernel.StateChanges;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.queue.Queues;
import io.orth.admin.systemlog.SystemLog;
import io.orth.runtime.LoopTiming;
import io.orth.runtime.PeriodicLoop;
import io.orth.runtime.Threads;
import java.net.http.HttpClient;
import java.time.Duration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Puts pipelines together and adds their background duties. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(PipelineProperties.class)
class PipelineConfiguration {

    private static final String DISPATCHER = "outbox-dispatcher";
    private static final String WEBHOOK = "outbox-webhook-";
    private static final Duration LOOK_FOR_STRAYS = Duration.ofSeconds(10);
    private static final Duration MEASURE_EVERY = Duration.ofSeconds(5);
    private static final Duration KEEP_EVERY = Duration.ofMinutes(1);
    private static final Duration KEEP_LEASE = Duration.ofMinutes(3);
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final int HTTP_THREADS = 2;
    private static final int HTTP_QUEUE = 100;

    @Bean
    PipelineMetrics pipelineMetrics(MeterRegistry meters) {
        return new PipelineMetrics(meters);
    }

    /** The queues' driver needs it, and the other parts need the queues. */
    @Bean
    CarriedTasks carriedTasks(JdbcClient jdbc, StateChanges journal, PipelineMetrics metrics, RunIdGenerator ids) {
        return new CarriedTasks(jdbc, journal, metrics, ids);
    }

    @Bean
    PipelineParts pipelineParts(
            JdbcClient jdbc,
            StateChanges journal,
            Transactions transactions,
            RunIdGenerator ids,
            Queues queues,
            CarriedTasks carried,
            Alarms alarms,
            SystemLog log,
            PipelineMetrics metrics,
            PipelineProperties properties,
            Loops loops) {
        return new PipelineParts(
                jdbc, journal, transactions, ids, queues, carried, alarms, log, metrics, properties, () -> {
                    loops.wake(DISPATCHER);
                    properties.webhooks().keySet().forEach(name -> loops.wake(WEBHOOK + name));
                });
    }

    @Bean
    Pipelines pipelines(PipelineParts parts) {
        return parts.pipelines;
    }

    @Bean
    PipelineRuns pipelineRuns(PipelineParts parts) {
        return parts.runs;
    }

    @Bean
    PipelineTasks pipelineTasks(JdbcClient jdbc) {
        return new PipelineTasks(jdbc);
    }

    @Bean
    PipelineRunWork pipelineRunWork(JdbcClient jdbc) {
        return new PipelineRunWork(jdbc);
    }

    @Bean
    TaskMessageWork taskMessageWork(JdbcClient jdbc) {
        return new TaskMessageWork(jdbc);
    }

    @Bean
    TaskDesk taskDesk(PipelineParts parts) {
        return parts.desk;
    }

    @Bean
    Outbox outbox(PipelineParts parts) {
        return parts.outbox;
    }

    @Bean
    PipelineReconciler pipelineReconciler(PipelineParts parts) {
        return parts.reconciler;
    }

    @Bean
    PeriodicLoop outboxLoop(PipelineParts parts, PipelineProperties properties, Loops loops, Node node) {
        HttpClient http = HttpClient.newBuilder()
                .connectTimeout(CONNECT_TIMEOUT)
                .followRedirects(HttpClient.Redirect.NEVER)
                .executor(Threads.pool("outbox-http", HTTP_THREADS, HTTP_QUEUE))
                .build();
        properties
                .webhooks()
                .keySet()
                .forEach(name -> loops.add(
                        WEBHOOK + name,
                        LoopTiming.every(properties.outbox().pollEvery()),
                        parts.webhook(name, http, node)));
        loops.add("outbox-strays", LoopTiming.every(LOOK_FOR_STRAYS), parts.webhook(null, http, node));
        return loops.add(DISPATCHER, LoopTiming.every(properties.outbox().pollEvery()), parts.dispatcher);
    }

    @Bean
    PeriodicLoop reconcilerLoop(PipelineParts parts, PipelineProperties properties, Loops loops) {
        PeriodicLoop loop =
                loops.add("pipeline-reconciler", LoopTiming.every(properties.lookEvery()), parts.reconciler);
        parts.reconciler.connect(loop::wake);
        return loop;
    }

    @Bean
    PeriodicLoop pipelineWatch(PipelineParts parts, Loops loops) {
        return loops.add("pipeline-watch", LoopTiming.every(MEASURE_EVERY), parts.watch);
    }

    @Bean
    PeriodicLoop pipelineKeeper(PipelineParts parts, LeasedLoops loops) {
        return loops.add("pipeline-keeper", KEEP_EVERY, KEEP_LEASE, lease -> term -> parts.keeper.run());
    }
}
