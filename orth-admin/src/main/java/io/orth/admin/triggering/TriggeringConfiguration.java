package io.orth.admin.triggering;

import io.orth.admin.job.JobSources;
import io.orth.admin.kernel.Liveness;
import io.orth.admin.kernel.LoopTiming;
import io.orth.admin.kernel.Loops;
import io.orth.admin.kernel.PeriodicLoop;
import io.orth.admin.kernel.Threads;
import io.orth.admin.kernel.Ticker;
import io.orth.admin.registry.Executors;
import io.orth.admin.registry.RegistryProperties;
import io.orth.admin.registry.XxlJobProperties;
import io.orth.admin.run.ForeignLosses;
import io.orth.admin.run.RunKills;
import io.orth.admin.run.Runs;
import java.net.http.HttpClient;
import java.time.Clock;
import java.time.Duration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Puts the way of a run together and adds its background duties. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(TriggeringProperties.class)
class TriggeringConfiguration {

    private static final int HTTP_THREADS = 4;
    private static final int HTTP_TASKS = 10_000;
    private static final Duration DETECT_EVERY = Duration.ofSeconds(2);
    /** An executor that answers at the last moment is still heard. */
    private static final Duration GRACE = Duration.ofSeconds(1);

    private static final Duration KILL_EVERY = Duration.ofSeconds(2);

    @Bean
    ExecutorHttp executorHttp(TriggeringProperties properties) {
        HttpClient http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(properties.connectTimeout())
                .followRedirects(HttpClient.Redirect.NEVER)
                .executor(Threads.pool("http", HTTP_THREADS, HTTP_TASKS))
                .build();
        return new ExecutorHttp(http);
    }

    @Bean
    ExecutorGateway executorGateway(ExecutorHttp http, TriggeringProperties properties, RegistryProperties registry) {
        return new ExecutorGateway(http, properties.sendTimeout(), registry.probeTimeout());
    }

    @Bean
    ForeignGateway foreignGateway(
            ExecutorHttp http, TriggeringProperties properties, XxlJobProperties foreign, Ticker ticker) {
        return new ForeignGateway(http, properties.sendTimeout(), foreign.sendsAtOnce(), ticker);
    }

    @Bean
    Gateways gateways(ExecutorGateway ours, ForeignGateway foreign) {
        return new Gateways(ours, foreign);
    }

    @Bean
    ExecutorTalk executorTalk(TriggeringProperties properties) {
        return new ExecutorTalk(properties.sendersAtOnce());
    }

    @Bean
    TriggerDispatcher triggerDispatcher(
            Runs runs,
            Executors executors,
            Gateways gateways,
            JobSources sources,
            ExecutorTalk talk,
            Clock clock,
            TriggeringProperties properties) {
        return new TriggerDispatcher(
                runs, executors, gateways, new SourceShelf(sources), talk.senders(), clock, properties);
    }

    @Bean
    Triggers triggers(Runs runs, TriggerDispatcher dispatcher, TriggeringProperties properties) {
        return new Triggers(runs, dispatcher, properties.claim());
    }

    @Bean
    RunLogs runLogs(
            Executors executors,
            ExecutorGateway gateway,
            ForeignGateway foreign,
            XxlJobProperties properties,
            Ticker ticker) {
        return new RunLogs(executors, gateway, new ForeignLogs(foreign, properties.logEvery(), ticker));
    }

    @Bean
    PeriodicLoop dispatchLoop(Loops loops, TriggerDispatcher dispatcher) {
        PeriodicLoop loop = loops.add("dispatcher", LoopTiming.every(Duration.ofSeconds(1)), dispatcher);
        dispatcher.onIncoming(loop::wake);
        return loop;
    }

    @Bean
    PeriodicLoop rescueLoop(
            Loops loops,
            Runs runs,
            Executors executors,
            ExecutorGateway gateway,
            TriggerDispatcher dispatcher,
            ExecutorTalk talk,
            Clock clock,
            TriggeringProperties properties) {
        UnsentRunRescuer rescuer =
                new UnsentRunRescuer(runs, executors, gateway, dispatcher, talk.askers(), clock, properties);
        return loops.add("unsent-run-rescuer", LoopTiming.every(properties.rescueEvery()), rescuer);
    }

    @Bean
    RunKiller runKiller(
            Runs runs,
            RunKills kills,
            Executors executors,
            Gateways gateways,
            ExecutorTalk talk,
            TriggeringProperties properties,
            XxlJobProperties foreign) {
        return new RunKiller(
                runs,
                kills,
                executors,
                gateways.ours(),
                new ForeignKiller(kills, gateways.foreign(), foreign.killGrace()),
                talk.askers(),
                properties.sendTimeout().plus(GRACE));
    }

    @Bean
    PeriodicLoop killLoop(Loops loops, RunKiller killer) {
        return loops.add("run-killer", LoopTiming.every(KILL_EVERY), killer);
    }

    @Bean
    PeriodicLoop lostRunLoop(Loops loops, Runs runs, TriggeringProperties properties) {
        return loops.add(
                "lost-run-detector",
                LoopTiming.every(DETECT_EVERY),
                new LostRunDetector(runs, properties.lostAfterLeaving()));
    }

    @Bean
    PeriodicLoop foreignLostRunLoop(
            Loops loops,
            ForeignLosses losses,
            Executors executors,
            ForeignGateway gateway,
            ExecutorTalk talk,
            Liveness liveness,
            Ticker ticker,
            XxlJobProperties properties) {
        IdleWatch idle = new IdleWatch(losses, executors, gateway, talk.askers(), properties, ticker);
        return loops.add(
                "foreign-lost-run-detector",
                LoopTiming.every(properties.lostEvery()),
                new ForeignLostRunDetector(losses, idle, liveness, properties));
    }
}
