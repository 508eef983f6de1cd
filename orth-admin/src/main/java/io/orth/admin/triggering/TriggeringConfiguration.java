package io.orth.admin.triggering;

import io.orth.admin.job.JobSources;
import io.orth.admin.kernel.InstallationGuard;
import io.orth.admin.kernel.Liveness;
import io.orth.admin.kernel.Loops;
import io.orth.admin.kernel.Ticker;
import io.orth.admin.registry.Executors;
import io.orth.admin.registry.OutageGuard;
import io.orth.admin.registry.Reachability;
import io.orth.admin.registry.RegistryProperties;
import io.orth.admin.registry.XxlJobProperties;
import io.orth.admin.run.CallbackIntake;
import io.orth.admin.run.ForeignLosses;
import io.orth.admin.run.RunKills;
import io.orth.admin.run.Runs;
import io.orth.admin.run.TurnSignal;
import io.orth.admin.systemlog.SystemLog;
import io.orth.admin.triggering.routing.Routes;
import io.orth.protocol.HeartbeatRule;
import io.orth.runtime.Duty.Pass;
import io.orth.runtime.LoopTiming;
import io.orth.runtime.PeriodicLoop;
import io.orth.runtime.Threads;
import java.net.http.HttpClient;
import java.time.Clock;
import java.time.Duration;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Wires the dispatch of runs and adds its background duties. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(TriggeringProperties.class)
class TriggeringConfiguration {

    private static final int HTTP_THREADS = 4;
    private static final int HTTP_TASKS = 10_000;
    private static final Duration DETECT_EVERY = Duration.ofSeconds(2);
    /** Margin for executors that respond at the last moment. */
    private static final Duration GRACE = Duration.ofSeconds(1);

    private static final Duration PRUNE_ROUTES_EVERY = Duration.ofMinutes(10);
    private static final Duration KEEP_ROUTES = Duration.ofDays(7);
    private static final int PRUNE_BATCH = 1_000;
    private static final Duration KILL_EVERY = Duration.ofSeconds(2);

    @Bean
    ExecutorHttp executorHttp(TriggeringProperties properties, InstallationGuard installation) {
        HttpClient http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(properties.connectTimeout())
                .followRedirects(HttpClient.Redirect.NEVER)
                .executor(Threads.pool("http", HTTP_THREADS, HTTP_TASKS))
                .build();
        return new ExecutorHttp(http, installation::id, installation::isPaused);
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
    ExecutorTalk executorTalk(TriggeringProperties properties) {
        return new ExecutorTalk(properties.sendersAtOnce(), properties.queueCapacity());
    }

    @Bean
    TriggerDispatcher triggerDispatcher(
            Runs runs,
            Routes routes,
            Gateways gateways,
            JobSources sources,
            ExecutorTalk talk,
            Clock clock,
            TriggeringProperties properties) {
        return new TriggerDispatcher(
                runs, routes, gateways, new SourceShelf(sources), talk.senders(), clock, properties);
    }

    /** An executor that has missed a heartbeat is in doubt well before the heartbeat timeout. */
    @Bean
    Routes routes(
            Executors executors,
            Reachability reachability,
            Runs runs,
            JdbcClient jdbc,
            Clock clock,
            HeartbeatRule heartbeats) {
        return new Routes(executors, reachability, runs, jdbc, clock, Ticker.system(), heartbeats.doubtAfter());
    }

    @Bean
    PeriodicLoop routePrunerLoop(Loops loops, Routes routes) {
        return loops.add(
                "route-pruner",
                LoopTiming.every(PRUNE_ROUTES_EVERY),
                () -> Pass.after(routes.prune(KEEP_ROUTES, PRUNE_BATCH), PRUNE_BATCH));
    }

    @Bean
    PeriodicLoop turnLoop(Loops loops, TurnKeeper keeper, TurnSignal signal, TriggeringProperties properties) {
        PeriodicLoop loop = loops.add("turn-keeper", LoopTiming.every(properties.rescueEvery()), keeper);
        signal.listen(jobs -> {
            keeper.tell(jobs);
            loop.wake();
        });
        return loop;
    }

    @Bean
    ForeignLogs foreignLogs(ForeignGateway foreign, XxlJobProperties properties, Ticker ticker) {
        return new ForeignLogs(foreign, properties.logEvery(), ticker);
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
            CallbackIntake callbacks,
            Executors executors,
            Gateways gateways,
            ExecutorTalk talk,
            TriggeringProperties properties,
            XxlJobProperties foreign) {
        return new RunKiller(
                runs,
                kills,
                callbacks,
                executors,
                gateways.ours(),
                new ForeignKiller(kills, gateways.foreign(), foreign.killGrace()),
                talk.askers(),
                properties.sendTimeout().plus(GRACE));
    }

    @Bean
    PeriodicLoop killLoop(Loops loops, RunKiller killer, TurnKeeper turns) {
        PeriodicLoop loop = loops.add("run-killer", LoopTiming.every(KILL_EVERY), killer);
        turns.onCovered(loop::wake);
        return loop;
    }

    @Bean
    PeriodicLoop lostRunLoop(Loops loops, Runs runs, RegistryProperties registry, SystemLog log) {
        return loops.add(
                "lost-run-detector",
                LoopTiming.every(DETECT_EVERY),
                new LostRunDetector(runs, registry.deregistrationGracePeriod(), log));
    }

    @Bean
    PeriodicLoop foreignLostRunLoop(
            Loops loops,
            ForeignLosses losses,
            Executors executors,
            ForeignGateway gateway,
            ExecutorTalk talk,
            Liveness liveness,
            @Qualifier("foreignOutageGuard") OutageGuard guard,
            Ticker ticker,
            XxlJobProperties properties,
            SystemLog log) {
        IdleWatch idle = new IdleWatch(losses, executors, gateway, talk.askers(), properties, ticker);
        return loops.add(
                "foreign-lost-run-detector",
                LoopTiming.every(properties.lostEvery()),
                new ForeignLostRunDetector(losses, idle, liveness, guard, properties, log));
    }
}
