package io.orth.admin.triggering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.orth.admin.AdminFixture;
import io.orth.admin.job.Job;
import io.orth.admin.job.JobSpec;
import io.orth.admin.job.JobSpecs;
import io.orth.admin.job.MisfirePolicy;
import io.orth.admin.job.RouteStrategy;
import io.orth.admin.job.Routing;
import io.orth.admin.job.Schedule;
import io.orth.admin.registry.ExecutorGroup;
import io.orth.admin.run.Run;
import io.orth.admin.run.RunStatus;
import io.orth.admin.run.TriggerType;
import io.orth.protocol.Codes;
import io.orth.protocol.ExecutorPaths;
import io.orth.protocol.Json;
import io.orth.protocol.JsonObject;
import io.orth.protocol.KnownRuns;
import io.orth.protocol.KnownRunsRequest;
import io.orth.protocol.Reply;
import io.orth.protocol.TriggerBatch;
import io.orth.protocol.TriggerBatchReply;
import io.orth.protocol.TriggerBatchReply.Outcome;
import io.orth.protocol.TriggerRequest;
import io.orth.protocol.WireMessage;
import io.orth.testkit.TestDatabase;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BiFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Many more executors than a node contacts concurrently. One server responds at all of their addresses. */
@Tag("must-first")
@Timeout(120)
class FleetDispatchDbTest {

    private static final int EXECUTORS = 200;
    private static final int CONCURRENCY = 64;
    private static final Duration ALL_SENT_WITHIN = Duration.ofSeconds(1);

    /** One fast broadcast is enough: a busy machine may delay some of them. */
    private static final int BROADCASTS = 20;

    /** Long timeouts, so that a busy machine does not look like an executor that does not respond. */
    private static final TriggeringProperties PATIENT = new TriggeringProperties(
            Duration.ofMinutes(3),
            Duration.ofSeconds(1),
            500,
            1_000,
            CONCURRENCY,
            Duration.ofSeconds(60),
            Duration.ofMinutes(2),
            Duration.ofSeconds(30),
            5,
            Duration.ofMinutes(2));

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private final ExecutorService serverThreads = Executors.newCachedThreadPool();
    private final CountDownLatch answer = new CountDownLatch(1);
    private final Set<String> reached = ConcurrentHashMap.newKeySet();
    private HttpServer server;
    private ExecutorTalk talk;
    private AdminFixture admin;
    private ExecutorGroup group;
    private TriggersFixture triggers;

    @BeforeEach
    void setUp() throws IOException {
        server = HttpServer.create(new InetSocketAddress(0), EXECUTORS);
        server.setExecutor(serverThreads);
        server.createContext(ExecutorPaths.RUN_BATCH, exchange -> answer(exchange, (host, body) -> take(body)));
        server.createContext(ExecutorPaths.KNOWN_RUNS, exchange -> answer(exchange, FleetDispatchDbTest::known));
        server.start();
        admin = AdminFixture.onEmptied(db);
        group = admin.group("group");
        talk = new ExecutorTalk(CONCURRENCY, 1_000);
        triggers = new TriggersFixture(admin, Clock.systemUTC(), PATIENT, talk);
        for (int i = 1; i <= EXECUTORS; i++) {
            admin.executor(group, instanceAt(host(i)), "http://%s".formatted(host(i)));
        }
    }

    @AfterEach
    void tearDown() {
        answer.countDown();
        talk.stop();
        server.stop(0);
        serverThreads.shutdownNow();
    }

    @Test
    void broadcastReachesEachExecutorAtFirstDispatch() {
        triggers.triggers().fire(broadcastJob(), null, TriggerType.MANUAL, null);
        triggers.dispatcher.run();
        assertThat(triggers.dispatcher.turnedAway()).as("runs left for later").isZero();
        answer.countDown();

        awaitAllAccepted(EXECUTORS);
        assertThat(reached).hasSize(EXECUTORS);
        assertThat(dispatches()).as("how often each was sent").containsOnly(1);
    }

    @Test
    void sendsBroadcastToAllWithinOneSecond() {
        answer.countDown();
        Job job = broadcastJob();
        Duration best = ALL_SENT_WITHIN.multipliedBy(100);

        for (int i = 1; i <= BROADCASTS && best.compareTo(ALL_SENT_WITHIN) > 0; i++) {
            Duration took = broadcast(job);
            best = took.compareTo(best) < 0 ? took : best;
            awaitAllAccepted(i * EXECUTORS);
        }

        assertThat(best).as("the best of %d broadcasts", BROADCASTS).isLessThanOrEqualTo(ALL_SENT_WITHIN);
        assertThat(triggers.dispatcher.turnedAway()).as("runs left for later").isZero();
    }

    private Duration broadcast(Job job) {
        reached.clear();
        triggers.triggers().fire(job, null, TriggerType.MANUAL, null);
        long handedOver = System.nanoTime();
        triggers.dispatcher.run();
        await().pollInterval(Duration.ofMillis(10))
                .atMost(Duration.ofSeconds(60))
                .until(() -> reached.size() == EXECUTORS);
        return Duration.ofNanos(System.nanoTime() - handedOver);
    }

    @Test
    void queuesRunsWhileExecutorsRespondSlowly() {
        List<Run> made = new ArrayList<>();
        for (int i = 0; i < EXECUTORS; i++) {
            made.add(admin.unsentRun(group));
        }

        triggers.dispatcher.submit(made);
        triggers.dispatcher.run();
        assertThat(triggers.dispatcher.turnedAway()).as("runs left for later").isZero();
        await().atMost(Duration.ofSeconds(60)).until(() -> reached.size() == CONCURRENCY);
        answer.countDown();

        awaitAllAccepted(EXECUTORS);
        assertThat(reached).hasSize(EXECUTORS);
        assertThat(dispatches()).as("how often each was sent").containsOnly(1);
    }

    @Test
    void asksAllExecutorsAboutUnconfirmedRuns() {
        for (int i = 1; i <= EXECUTORS; i++) {
            admin.intendedRun(group, admin.target(instanceAt(host(i))));
        }
        admin.expireClaims();

        triggers.rescuer.run();
        answer.countDown();

        awaitAllAccepted(EXECUTORS);
        assertThat(reached).hasSize(EXECUTORS);
    }

    private Job broadcastJob() {
        Routing toAll = new Routing(RouteStrategy.SHARDING_BROADCAST, List.of());
        return admin.jobs.create(
                new JobSpec(
                        "job",
                        group.id(),
                        "handler",
                        "",
                        new Schedule.None(),
                        MisfirePolicy.FIRE_ONCE,
                        JobSpecs.PLAIN,
                        toAll),
                true);
    }

    private void awaitAllAccepted(int expected) {
        await().atMost(Duration.ofSeconds(60)).until(() -> pending() == expected);
    }

    private long pending() {
        return admin.jdbc
                .sql("select count(*) from orth_run where status = :status")
                .param("status", RunStatus.PENDING.name())
                .query(Long.class)
                .single();
    }

    private List<Integer> dispatches() {
        return admin.jdbc
                .sql("select dispatch from orth_run")
                .query(Integer.class)
                .list();
    }

    private String host(int number) {
        return "127.0.0.%d:%d".formatted(number, server.getAddress().getPort());
    }

    private static String instanceAt(String host) {
        return "at-" + host;
    }

    private void answer(HttpExchange exchange, BiFunction<String, JsonObject, WireMessage> content) throws IOException {
        try (exchange) {
            String host = exchange.getRequestHeaders().getFirst("Host");
            JsonObject question = Json.readObject(exchange.getRequestBody().readAllBytes());
            reached.add(host);
            answer.await();
            byte[] body = Json.write(Reply.ok(content.apply(host, question)));
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static WireMessage take(JsonObject body) {
        List<TriggerRequest> triggers = TriggerBatch.from(body).triggers();
        return new TriggerBatchReply(
                triggers.get(0).instanceId(),
                triggers.stream()
                        .map(trigger -> new Outcome(trigger.logId(), Codes.SUCCESS, null))
                        .toList());
    }

    private static WireMessage known(String host, JsonObject body) {
        return new KnownRuns(
                instanceAt(host),
                KnownRunsRequest.from(body).logIds().stream()
                        .map(id -> new KnownRuns.Known(id, KnownRuns.State.RUNNING))
                        .toList());
    }
}
