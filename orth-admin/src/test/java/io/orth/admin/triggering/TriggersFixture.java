package io.orth.admin.triggering;

import io.orth.admin.AdminFixture;
import io.orth.admin.kernel.Ticker;
import io.orth.admin.registry.Reachability;
import io.orth.admin.registry.WorkInquiry;
import io.orth.admin.run.Runs;
import io.orth.admin.run.TurnSignal;
import io.orth.admin.triggering.routing.Broadcasts;
import io.orth.admin.triggering.routing.Routes;
import io.orth.runtime.Duty.Pass;
import io.orth.runtime.Threads;
import java.net.http.HttpClient;
import java.time.Clock;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicLong;

/** The components that dispatch runs; all of them run on the test's own thread, when the test calls them. */
public final class TriggersFixture {

    private static final HttpClient HTTP = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(2))
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();

    private static final ExecutorService PROBES = Threads.pool("test-reach", 4, 1_000);

    /** Concurrent requests to one XXL-JOB executor. */
    static final int SENDS_AT_ONCE = 4;

    /** Tasks of the thread pools. */
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

    private final AtomicLong nanos = new AtomicLong();

    final ExecutorGateway gateway;
    final ForeignGateway foreign;
    final Reachability reachability;
    final Routes routes;
    final TriggerDispatcher dispatcher;
    final UnsentRunRescuer rescuer;
    final TurnKeeper turns;
    public final TurnSignal turnSignal = new TurnSignal();
    private final Broadcasts broadcasts;
    private final TriggeringProperties properties;
    private final Triggers triggers;

    public TriggersFixture(AdminFixture admin) {
        this(admin, Clock.systemUTC(), properties(500));
    }

    TriggersFixture(AdminFixture admin, Clock clock, TriggeringProperties properties) {
        this(admin, clock, properties, null);
    }

    /** With a {@code talk}, requests to executors run on its threads. */
    TriggersFixture(AdminFixture admin, Clock clock, TriggeringProperties properties, ExecutorTalk talk) {
        Executor senders = talk == null ? tasks::add : talk.senders();
        Executor askers = talk == null ? tasks::add : talk.askers();
        gateway = gateway(properties.sendTimeout());
        reachability = new Reachability(admin.executors, gateway, PROBES, admin.systemLog);
        routes = new Routes(
                admin.executors, reachability, admin.runs, admin.jdbc, clock, nanos::get, Duration.ofSeconds(7));
        foreign = foreign(properties.sendTimeout());
        dispatcher = new TriggerDispatcher(
                admin.runs,
                routes,
                new Gateways(gateway, foreign),
                new SourceShelf(admin.sources),
                senders,
                clock,
                properties);
        rescuer = new UnsentRunRescuer(admin.runs, admin.executors, gateway, dispatcher, askers, clock, properties);
        turns = new TurnKeeper(admin.turns, admin.kills, dispatcher, turnSignal, nanos::get, properties);
        turnSignal.listen(turns::tell);
        broadcasts = new Broadcasts(admin.executors);
        this.properties = properties;
        triggers = triggers(admin.runs);
    }

    static ExecutorGateway gateway(Duration answerWithin) {
        return new ExecutorGateway(
                new ExecutorHttp(HTTP, () -> "test", () -> false), answerWithin, Duration.ofSeconds(1));
    }

    /** The inquiry that asks executors about their work. */
    public static WorkInquiry inquiry() {
        return gateway(Duration.ofSeconds(30));
    }

    static ForeignGateway foreign(Duration answerWithin) {
        return new ForeignGateway(
                new ExecutorHttp(HTTP, () -> "test", () -> false), answerWithin, SENDS_AT_ONCE, Ticker.system());
    }

    static ForeignLogs foreignLogs() {
        return new ForeignLogs(foreign(Duration.ofSeconds(5)), Duration.ofSeconds(3), Ticker.system());
    }

    static TriggeringProperties properties(int batchSize) {
        return properties(batchSize, 20_000);
    }

    static TriggeringProperties properties(int batchSize, int queueCapacity) {
        return new TriggeringProperties(
                AdminFixture.CLAIM,
                Duration.ofSeconds(1),
                batchSize,
                queueCapacity,
                4,
                Duration.ofSeconds(1),
                Duration.ofSeconds(5),
                Duration.ofSeconds(10),
                5,
                Duration.ofMinutes(2));
    }

    public Triggers triggers() {
        return triggers;
    }

    /** Creates runs with the given component. */
    public Triggers triggers(Runs runs) {
        return new Triggers(runs, broadcasts, dispatcher, turnSignal, properties);
    }

    /** Advances the clock of the routing state. */
    void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    /** Routes and sends all submitted runs, to the next executor if one rejects them. */
    public void sendAll() {
        do {
            runTasks();
        } while (dispatcher.run() == Pass.MORE || !tasks.isEmpty());
    }

    /** Probes executors that could not be reached. */
    void probe() {
        try {
            reachability.run();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    void runTasks() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }
}
