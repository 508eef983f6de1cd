package io.orth.admin.triggering;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.AdminFixture;
import io.orth.admin.job.Job;
import io.orth.admin.job.JobSpec;
import io.orth.admin.job.JobSpecs;
import io.orth.admin.job.MisfirePolicy;
import io.orth.admin.job.RouteStrategy;
import io.orth.admin.job.Routing;
import io.orth.admin.job.Schedule;
import io.orth.admin.registry.ExecutorGroup;
import io.orth.admin.run.NewRun;
import io.orth.admin.run.Route;
import io.orth.admin.run.Run;
import io.orth.admin.run.RunStatus;
import io.orth.admin.run.TriggerType;
import io.orth.protocol.CallbackItem;
import io.orth.protocol.TriggerRequest;
import io.orth.testkit.FakeExecutor;
import io.orth.testkit.TestDatabase;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Choice of executors by route strategy and configured addresses. */
@Tag("must-runs")
class RoutingDbTest {

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private final List<FakeExecutor> servers = new ArrayList<>();
    private AdminFixture admin;
    private ExecutorGroup group;
    private TriggersFixture triggers;
    private int jobs;

    @BeforeEach
    void setUp() {
        admin = AdminFixture.onEmptied(db);
        group = admin.group("group");
        triggers = new TriggersFixture(admin);
    }

    @AfterEach
    void tearDown() {
        servers.forEach(FakeExecutor::resume);
        servers.forEach(FakeExecutor::close);
    }

    @Test
    void firstAndLastUseAddressOrder() {
        List<FakeExecutor> byAddress = executors(3);

        fire(job(RouteStrategy.FIRST), 4);
        fire(job(RouteStrategy.LAST), 3);

        assertThat(byAddress).extracting(RoutingDbTest::runs).containsExactly(4, 0, 3);
    }

    @Test
    void usesOrderOfConfiguredAddresses() {
        List<FakeExecutor> all = executors(3);
        Job job = job(RouteStrategy.FIRST, all.get(2).address(), all.get(1).address());

        fire(job, 2);
        all.get(2).close();
        fire(job, 2);

        assertThat(all).extracting(RoutingDbTest::runs).containsExactly(0, 2, 2);
    }

    @Test
    void waitsForConfiguredAddresses() {
        List<FakeExecutor> all = executors(2);
        Run run = fire(job(RouteStrategy.ROUND, "http://127.0.0.1:1"), 1).get(0);

        assertThat(all).extracting(RoutingDbTest::runs).containsOnly(0);
        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.INIT);
        assertThat(admin.runs.get(run.id()).triggerMsg())
                .isEqualTo("no executor of the group is online at the addresses of the job: http://127.0.0.1:1");

        takeUpForLong(run);
        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.TRIGGER_FAILED);
    }

    @Test
    void sendsNoTokenToUnregisteredAddress() {
        FakeExecutor unregistered = new FakeExecutor("unregistered");
        servers.add(unregistered);

        fire(job(RouteStrategy.FIRST, unregistered.address()), 1);

        assertThat(unregistered.tokens()).isEmpty();
        assertThat(unregistered.received()).isEmpty();
    }

    @Test
    void roundSpreadsManualRunsAndKeepsTurnAfterRestart() {
        List<FakeExecutor> all = executors(3);
        Job job = job(RouteStrategy.ROUND);

        fire(job, 4);
        flush();
        triggers = new TriggersFixture(admin);
        fire(job, 5);

        assertThat(all).extracting(RoutingDbTest::runs).containsOnly(3);
    }

    @Test
    void sharesAndPersistsUsesOfLeastUsedStrategies() {
        for (RouteStrategy strategy : List.of(RouteStrategy.LFU, RouteStrategy.LRU)) {
            List<FakeExecutor> all = executors(2);
            Job job = job(strategy);

            for (int i = 0; i < 6; i++) {
                fire(job, 1);
                flush();
                triggers = new TriggersFixture(admin);
            }

            assertThat(all).as(strategy.name()).extracting(RoutingDbTest::runs).containsExactly(3, 3);
            leave(all);
        }
    }

    @Test
    void storesUsesInBatches() {
        executors(2);
        Job least = job(RouteStrategy.LFU);
        Job round = job(RouteStrategy.ROUND);

        fire(least, 20);
        fire(round, 20);
        assertThat(remembered()).isEqualTo("0 uses, turn 0");
        flush();

        assertThat(remembered()).isEqualTo("20 uses, turn 20");
    }

    @Test
    void prunesOldUses() {
        executors(2);
        fire(job(RouteStrategy.LRU), 2);
        flush();
        admin.jdbc
                .sql(
                        "update orth_route_use set last_used_at = now() - interval '8 days' where address like '%' || (select max(right(address, 3)) from orth_route_use)")
                .update();

        assertThat(triggers.routes.prune(Duration.ofDays(7), 10)).isEqualTo(1);
        assertThat(triggers.routes.prune(Duration.ofDays(7), 10)).isZero();
    }

    @Test
    void consistentHashKeepsExecutorUntilItLeaves() {
        List<FakeExecutor> all = executors(4);
        Job job = job(RouteStrategy.CONSISTENT_HASH);

        fire(job, 5);
        FakeExecutor home = theOneWith(5, all);
        leave(List.of(home));
        fire(job, 5);
        FakeExecutor second =
                theOneWith(5, all.stream().filter(other -> other != home).toList());
        admin.executor(group, home.instanceId(), home.address());
        fire(job, 1);

        assertThat(home.received()).hasSize(6);
        assertThat(second.received()).hasSize(5);
    }

    @Test
    void seesJoiningAndLeavingExecutorsImmediately() {
        List<FakeExecutor> first = executors(1);
        Job job = job(RouteStrategy.ROUND);
        fire(job, 1);

        List<FakeExecutor> second = executors(1);
        fire(job, 4);
        leave(first);
        fire(job, 3);

        assertThat(first.get(0).received()).hasSize(3);
        assertThat(second.get(0).received()).hasSize(5);
    }

    @Test
    void sendsOnlyToNewInstanceOfRestartedExecutor() {
        FakeExecutor executor = executors(1).get(0);
        executor.restartAs("successor");
        admin.executor(group, "successor", executor.address());

        fire(job(RouteStrategy.ROUND), 6);

        assertThat(executor.received()).extracting(TriggerRequest::instanceId).containsOnly("successor");
    }

    @Test
    void failoverSkipsExecutorWithLateHeartbeat() {
        List<FakeExecutor> all = executors(2);
        admin.silence(admin.target(all.get(0).instanceId()), Duration.ofSeconds(9));
        Job job = job(RouteStrategy.FAILOVER);

        fire(job, 2);
        admin.executor(group, all.get(0).instanceId(), all.get(0).address());
        fire(job, 1);

        assertThat(all).extracting(RoutingDbTest::runs).containsExactly(1, 2);
    }

    @Test
    void failoverTriesExecutorsIfAllHeartbeatsAreLate() {
        List<FakeExecutor> all = executors(2);
        all.forEach(one -> admin.silence(admin.target(one.instanceId()), Duration.ofSeconds(9)));

        fire(job(RouteStrategy.FAILOVER), 1);

        assertThat(all).extracting(RoutingDbTest::runs).containsExactly(1, 0);
    }

    @Test
    void busyoverUsesFirstIdleExecutor() {
        List<FakeExecutor> all = executors(3);
        Job job = job(RouteStrategy.BUSYOVER);

        List<Run> runs = fire(job, 2);
        finish(runs.get(0));
        fire(job, 1);
        fire(job(RouteStrategy.BUSYOVER), 1);

        assertThat(all).extracting(RoutingDbTest::runs).containsExactly(3, 1, 0);
    }

    @Test
    void busyoverWaitsWhileAllAreBusyAndThenFails() {
        executors(2);
        Job job = job(RouteStrategy.BUSYOVER);
        List<Run> runs = fire(job, 4);
        List<Run> waiting = runs.stream()
                .filter(run -> admin.statusOf(run) == RunStatus.INIT)
                .toList();
        assertThat(waiting).hasSize(2);
        assertThat(messageOf(waiting.get(0))).isEqualTo("every executor that may take it is busy with this job");

        finish(runs.stream()
                .filter(run -> admin.statusOf(run) == RunStatus.PENDING)
                .findFirst()
                .orElseThrow());
        takeUpForLong(waiting.toArray(Run[]::new));

        assertThat(waiting)
                .extracting(admin::statusOf)
                .containsExactlyInAnyOrder(RunStatus.PENDING, RunStatus.TRIGGER_FAILED);
    }

    @Test
    void broadcastCreatesOneShardPerExecutor() {
        List<FakeExecutor> all = executors(4);
        Run first = triggers.triggers().fire(job(RouteStrategy.SHARDING_BROADCAST), null, TriggerType.API, null);
        triggers.sendAll();

        assertThat(all).allSatisfy(executor -> assertThat(executor.received()).hasSize(1));
        assertThat(all.stream().map(executor -> executor.received().get(0)))
                .extracting(TriggerRequest::shardIndex)
                .containsExactly(0, 1, 2, 3);
        assertThat(all.stream().map(executor -> executor.received().get(0)))
                .extracting(TriggerRequest::shardTotal)
                .containsOnly(4);
        assertThat(first.route().shard().index()).isZero();
    }

    @Test
    void broadcastUsesOnlyConfiguredAddresses() {
        List<FakeExecutor> all = executors(3);
        String[] two = {all.get(2).address(), all.get(0).address(), "http://127.0.0.1:1"};

        fire(job(RouteStrategy.SHARDING_BROADCAST, two), 1);

        assertThat(all).extracting(RoutingDbTest::runs).containsExactly(1, 0, 1);
        assertThat(all.get(2).received().get(0).shardIndex()).isZero();
        assertThat(all.get(2).received().get(0).shardTotal()).isEqualTo(2);
    }

    @Test
    void broadcastWithoutExecutorsIsOneWaitingRun() {
        Run run = fire(job(RouteStrategy.SHARDING_BROADCAST), 1).get(0);
        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.INIT);

        FakeExecutor late = executors(1).get(0);
        takeUp();

        assertThat(late.received()).hasSize(1);
        assertThat(messageOf(run)).contains("before: no executor of the group is online");
    }

    @Test
    void sendsShardToNoOtherExecutor() {
        List<FakeExecutor> all = executors(2);
        all.get(0).refuse("no such handler");

        triggers.triggers().fire(job(RouteStrategy.SHARDING_BROADCAST), null, TriggerType.API, null);
        triggers.sendAll();

        assertThat(all).extracting(RoutingDbTest::runs).containsExactly(1, 1);
        assertThat(admin.jdbc
                        .sql("select shard_index || ' ' || status from orth_run_all order by shard_index")
                        .query(String.class)
                        .list())
                .containsExactly("0 TRIGGER_FAILED", "1 PENDING");
    }

    @Test
    void reportsOfflineExecutorOfShard() {
        List<FakeExecutor> all = executors(2);
        List<Run> shards = triggers.triggers()
                .create(List.of(NewRun.of(job(RouteStrategy.SHARDING_BROADCAST), "", TriggerType.API, null, null)));
        leave(all.subList(0, 1));

        triggers.triggers().send(shards);
        triggers.sendAll();

        assertThat(messageOf(shards.get(0)))
                .isEqualTo("the executor of this shard, %s, is not online"
                        .formatted(all.get(0).address()));
        assertThat(all.get(1).received()).hasSize(1);
    }

    @Test
    void retriedShardKeepsIndexOnAnotherExecutor() {
        List<FakeExecutor> all = executors(3);
        Job job = job(RouteStrategy.SHARDING_BROADCAST);
        List<Run> shards = triggers.triggers().create(List.of(NewRun.of(job, "", TriggerType.API, null, null)));
        Route route = shards.get(2).route();
        Route again = new Route(route.strategy(), route.addresses(), null, new Route.Shard(2, 3, null));
        leave(all.subList(2, 3));

        List<Run> retried = admin.runs.create(
                List.of(NewRun.of(job, "", TriggerType.API, null, null).withRoute(again)), AdminFixture.CLAIM);
        triggers.triggers().send(retried);
        triggers.sendAll();

        assertThat(all.get(0).received()).singleElement().satisfies(trigger -> {
            assertThat(trigger.shardIndex()).isEqualTo(2);
            assertThat(trigger.shardTotal()).isEqualTo(3);
        });
    }

    @Test
    void limitsNumberOfExecutorsTried() {
        List<FakeExecutor> all = executors(7);
        all.forEach(one -> one.refuse("no such handler"));

        Run run = fire(job(RouteStrategy.FIRST), 1).get(0);

        assertThat(all).extracting(RoutingDbTest::runs).containsExactly(1, 1, 1, 1, 1, 0, 0);
        assertThat(messageOf(run)).endsWith("no such handler; no more than 5 executors are tried");
        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.TRIGGER_FAILED);
    }

    @Test
    void keepsTriedExecutorsIfResultComesFirst() {
        List<FakeExecutor> all = executors(2);
        all.get(0).refuse("no such handler");
        all.get(1).dropAnswers();

        Run run = fire(job(RouteStrategy.FIRST), 1).get(0);
        finish(run);

        assertThat(messageOf(run))
                .isEqualTo("sent to %s; before: %s: no such handler"
                        .formatted(all.get(1).address(), all.get(0).address()));
    }

    @Test
    void settlesAmbiguousSendWithSameExecutor() {
        List<FakeExecutor> all = executors(2);
        all.get(0).dropAnswers();

        Run run = fire(job(RouteStrategy.FAILOVER), 1).get(0);
        all.get(0).acceptAgain();
        takeUp();

        assertThat(all).extracting(RoutingDbTest::runs).containsExactly(1, 0);
        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.PENDING);
    }

    @Test
    void hangingExecutorDelaysNoOther() throws Exception {
        List<FakeExecutor> all = executors(3);
        FakeExecutor hanging = all.get(0);
        hanging.hang();
        ExecutorService senders = Executors.newFixedThreadPool(3);
        try {
            TriggerDispatcher dispatcher = new TriggerDispatcher(
                    admin.runs,
                    triggers.routes,
                    new Gateways(triggers.gateway, triggers.foreign),
                    new SourceShelf(admin.sources),
                    senders,
                    Clock.systemUTC(),
                    TriggersFixture.properties(500));
            Job job = job(RouteStrategy.ROUND);
            List<Run> runs = admin.runs.create(
                    IntStream.range(0, 90)
                            .mapToObj(i -> NewRun.of(job, "", TriggerType.API, null, null))
                            .toList(),
                    AdminFixture.CLAIM);
            for (int i = 0; i < runs.size(); i += 3) {
                dispatcher.submit(runs.subList(i, i + 3));
                dispatcher.run();
            }

            Awaitility.await().untilAsserted(() -> {
                assertThat(all.get(1).received()).hasSize(30);
                assertThat(all.get(2).received()).hasSize(30);
            });
            assertThat(hanging.tokens())
                    .as("one batch is under way and no more")
                    .hasSize(1);
        } finally {
            hanging.resume();
            senders.shutdown();
            assertThat(senders.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    private Job job(RouteStrategy strategy, String... addresses) {
        String name = "job " + jobs++;
        return admin.jobs.create(
                new JobSpec(
                        name,
                        group.id(),
                        "handler",
                        "",
                        new Schedule.None(),
                        MisfirePolicy.FIRE_ONCE,
                        JobSpecs.PLAIN,
                        new Routing(strategy, List.of(addresses))),
                true);
    }

    /** Fires and sends this many runs, one after the other. */
    private List<Run> fire(Job job, int times) {
        List<Run> runs = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            runs.add(triggers.triggers().fire(job, null, TriggerType.API, null));
            triggers.sendAll();
        }
        return runs;
    }

    /** Lets the runs wait for an executor longer than allowed. */
    private void takeUpForLong(Run... runs) {
        for (int i = 0; i < 4; i++) {
            Stream.of(runs).forEach(run -> admin.unwatched(run, Duration.ofSeconds(3)));
            takeUp();
        }
    }

    private void takeUp() {
        admin.expireClaims();
        triggers.rescuer.run();
        triggers.sendAll();
    }

    /** Makes the node store its routing state. */
    private void flush() {
        triggers.pass(Duration.ofSeconds(1));
        triggers.dispatcher.run();
    }

    private String remembered() {
        return admin.jdbc.sql("""
                        select (select coalesce(sum(uses), 0) from orth_route_use) || ' uses, turn '
                               || (select max(turn) from orth_job)
                        """).query(String.class).single();
    }

    private String messageOf(Run run) {
        return admin.runs.get(run.id()).triggerMsg();
    }

    private void finish(Run run) {
        Run sent = admin.runs.get(run.id());
        String instance =
                admin.executors.targets(List.of(sent.executorId())).get(0).instanceId();
        admin.callbacks.take(group.id(), List.of(new CallbackItem(run.id(), 0, 200, "done", instance)));
        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.SUCCESS);
    }

    private void leave(List<FakeExecutor> leaving) {
        leaving.forEach(one -> admin.jdbc
                .sql("update orth_executor set status = 'OFFLINE' where instance_id = :instance")
                .param("instance", one.instanceId())
                .update());
    }

    private static FakeExecutor theOneWith(int runs, List<FakeExecutor> executors) {
        return executors.stream()
                .filter(executor -> executor.received().size() == runs)
                .findFirst()
                .orElseThrow();
    }

    /** Registers new executors of the group, ordered by address. */
    private List<FakeExecutor> executors(int n) {
        List<FakeExecutor> made = IntStream.range(0, n)
                .mapToObj(i -> new FakeExecutor("instance-" + (servers.size() + i)))
                .sorted(Comparator.comparing(FakeExecutor::address))
                .toList();
        servers.addAll(made);
        made.forEach(executor -> admin.executor(group, executor.instanceId(), executor.address()));
        return made;
    }

    private static int runs(FakeExecutor executor) {
        return executor.received().size();
    }
}
