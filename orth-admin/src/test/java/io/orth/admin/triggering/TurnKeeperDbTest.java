package io.orth.admin.triggering;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.AdminFixture;
import io.orth.admin.completion.CompletionFixture;
import io.orth.admin.deadletter.DeadKind;
import io.orth.admin.deadletter.DeadRef;
import io.orth.admin.job.AfterRun;
import io.orth.admin.job.BlockScope;
import io.orth.admin.job.Decision;
import io.orth.admin.job.DecisionFilter;
import io.orth.admin.job.DecisionReason;
import io.orth.admin.job.Execution;
import io.orth.admin.job.Job;
import io.orth.admin.job.JobSpec;
import io.orth.admin.job.JobSpecs;
import io.orth.admin.job.MisfirePolicy;
import io.orth.admin.job.RouteStrategy;
import io.orth.admin.job.Routing;
import io.orth.admin.job.Schedule;
import io.orth.admin.kernel.Backoff;
import io.orth.admin.kernel.RetryPolicy;
import io.orth.admin.kernel.StateChanges;
import io.orth.admin.registry.ExecutorGroup;
import io.orth.admin.run.CallbackIntake;
import io.orth.admin.run.NewRun;
import io.orth.admin.run.Run;
import io.orth.admin.run.RunCause;
import io.orth.admin.run.RunKills;
import io.orth.admin.run.RunStatus;
import io.orth.admin.run.RunTurns;
import io.orth.admin.run.Runs;
import io.orth.admin.run.TriggerType;
import io.orth.protocol.BlockStrategy;
import io.orth.protocol.CallbackItem;
import io.orth.protocol.Codes;
import io.orth.protocol.GlueType;
import io.orth.protocol.TriggerRequest;
import io.orth.testkit.FakeExecutor;
import io.orth.testkit.TestDatabase;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Block strategies across all executors; the test runs the loops. */
@Tag("must-kernel")
class TurnKeeperDbTest {

    private static final Duration LOOK = Duration.ofSeconds(2);

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private final List<FakeExecutor> executors = new ArrayList<>();
    /** Triggers received by executors, in order. */
    private final List<TriggerRequest> arrived = Collections.synchronizedList(new ArrayList<>());

    private final AtomicLong nanos = new AtomicLong();
    private AdminFixture admin;
    private TriggersFixture triggers;
    private CompletionFixture completion;
    private ExecutorGroup group;
    private Runs runs;
    private RunKills kills;
    private CallbackIntake callbacks;
    private TurnKeeper keeper;
    private RetryPolicy retry = new RetryPolicy(1, Backoff.DEFAULT);

    @BeforeEach
    void setUp() {
        admin = AdminFixture.onEmptied(db);
        triggers = new TriggersFixture(admin);
        completion = new CompletionFixture(admin, Clock.systemUTC(), triggers.turnSignal);
        group = admin.group("group");
        StateChanges changes = completion.changes;
        runs = new Runs(admin.jdbc, changes, admin.runIds, admin.transactions);
        kills = new RunKills(admin.jdbc, changes, admin.transactions);
        callbacks = new CallbackIntake(admin.jdbc, changes, admin.transactions);
        keeper = new TurnKeeper(
                new RunTurns(admin.jdbc, changes, admin.transactions),
                kills,
                triggers.dispatcher,
                triggers.turnSignal,
                nanos::get,
                TriggersFixture.properties(500));
        triggers.turnSignal.listen(keeper::tell);
        List.of("first", "second", "third").forEach(this::executor);
        keeper.run();
    }

    @AfterEach
    void tearDown() {
        executors.forEach(FakeExecutor::close);
    }

    @Test
    void discardSkipsFireWhileJobIsRunning() {
        retry = new RetryPolicy(4, Backoff.doubling(Duration.ofSeconds(10), Duration.ofHours(1)));
        Job job = job(BlockStrategy.DISCARD);
        Run first = fire(job);
        Run second = fire(job);

        assertThat(sent()).containsExactly(first.id());
        Run skipped = runs.get(second.id());
        assertThat(skipped.status()).isEqualTo(RunStatus.SKIPPED);
        assertThat(skipped.triggerCode()).isEqualTo(Codes.BUSY);
        assertThat(skipped.triggerMsg()).contains("run %d of the job was not over".formatted(first.id()));
        assertThat(admin.journalOf(second)).containsExactly("null->INIT CREATED", "INIT->SKIPPED DISCARDED");
        assertThat(decisions(job)).singleElement().satisfies(entry -> {
            assertThat(entry.reason()).isEqualTo(DecisionReason.DISCARDED);
            assertThat(entry.fires()).isEqualTo(1);
        });
        assertThat(deadLetters()).isZero();

        finish(first, Codes.SUCCESS);
        Run third = fire(job);

        assertThat(sent()).containsExactly(first.id(), third.id());
    }

    @Test
    void sendsSerialToExecutorsAfterDeciding() {
        Run run = fire(job(BlockStrategy.DISCARD));

        assertThat(triggerOf(run).blockStrategy()).isEqualTo(BlockStrategy.SERIAL);
    }

    @Test
    void decidesShardsOfBroadcastTogether() {
        Job job = job(BlockStrategy.DISCARD, new Routing(RouteStrategy.SHARDING_BROADCAST, List.of()));
        List<Run> first = fireAll(job, 1);
        List<Run> second = fireAll(job, 1);

        assertThat(sent()).containsExactlyInAnyOrderElementsOf(ids(first)).hasSize(3);
        assertThat(second)
                .hasSize(3)
                .allSatisfy(shard -> assertThat(statusOf(shard)).isEqualTo(RunStatus.SKIPPED));
        assertThat(decisions(job))
                .singleElement()
                .satisfies(entry -> assertThat(entry.fires()).isEqualTo(1));

        finish(first.get(0), Codes.SUCCESS);
        finish(first.get(1), Codes.SUCCESS);
        List<Run> third = fireAll(job, 1);
        finish(first.get(2), Codes.SUCCESS);
        List<Run> fourth = fireAll(job, 1);

        assertThat(third).allSatisfy(shard -> assertThat(statusOf(shard)).isEqualTo(RunStatus.SKIPPED));
        assertThat(fourth).allSatisfy(shard -> assertThat(statusOf(shard)).isEqualTo(RunStatus.PENDING));
    }

    @Test
    void serialSendsNextRunAfterPreviousFinishes() {
        Job job = job(BlockStrategy.SERIAL);
        List<Run> fires = fireAll(job, 3);
        Run last = fire(job);

        assertThat(sent()).containsExactly(fires.get(0).id());
        assertThat(statusOf(last)).isEqualTo(RunStatus.INIT);
        assertThat(runs.get(last.id()).triggerMsg())
                .isEqualTo("waits until run %d of the job is over (block strategy SERIAL, block scope CLUSTER)"
                        .formatted(fires.get(0).id()));

        finish(fires.get(0), Codes.FAIL);
        assertThat(sent()).containsExactly(fires.get(0).id(), fires.get(1).id());
        finish(fires.get(1), Codes.SUCCESS);
        finish(fires.get(2), Codes.SUCCESS);

        assertThat(sent())
                .containsExactly(
                        fires.get(0).id(), fires.get(1).id(), fires.get(2).id(), last.id());
        assertThat(runs.get(last.id()).triggerMsg()).startsWith("accepted by ");
        assertThat(decisions(job)).isEmpty();
    }

    @Test
    void retryKeepsTurnOfItsRun() {
        retry = new RetryPolicy(2, Backoff.doubling(Duration.ZERO, Duration.ZERO));
        Job job = job(BlockStrategy.SERIAL);
        Run first = fire(job);
        Run second = fire(job);

        finish(first, Codes.FAIL);
        Run again = runs.attemptsOf(first.id()).get(1);
        assertThat(statusOf(second)).isEqualTo(RunStatus.INIT);
        triggers.rescuer.run();
        settle();
        assertThat(sent()).containsExactly(first.id(), again.id());
        finish(again, Codes.SUCCESS);

        assertThat(sent()).containsExactly(first.id(), again.id(), second.id());
    }

    @Test
    void coverKillsOlderRunAndWaitsForIt() {
        retry = new RetryPolicy(4, Backoff.doubling(Duration.ofSeconds(10), Duration.ofHours(1)));
        Job job = job(BlockStrategy.COVER);
        Run first = fire(job);
        Run second = fire(job);
        assertThat(statusOf(second)).isEqualTo(RunStatus.INIT);
        assertThat(runs.get(first.id()).kill().words())
                .isEqualTo("killed by block strategy COVER: a newer run of the job replaces it");
        Run third = fire(job);
        kills.endUnsent(List.of(second.id()));
        settle();

        assertThat(sent()).containsExactly(first.id());
        assertThat(statusOf(second)).isEqualTo(RunStatus.TRIGGER_FAILED);
        finish(first, Codes.FAIL);

        assertThat(admin.journalOf(first)).endsWith("PENDING->FAILED KILLED");
        assertThat(sent()).containsExactly(first.id(), third.id());
        assertThat(runs.get(third.id()).kill()).isNull();
        assertThat(deadLetters()).isZero();
        assertThat(completion.dead.room(List.of(job.id()))).hasSize(1);
    }

    @Test
    void concurrentRunsDoNotWait() {
        Job job = job(BlockStrategy.CONCURRENT);
        Run first = fire(job);
        Run second = fire(job);

        assertThat(sent()).containsExactly(first.id(), second.id());
        assertThat(triggerOf(first).blockStrategy()).isEqualTo(BlockStrategy.CONCURRENT);
    }

    @Test
    void limitsNumberOfWaitingRuns() {
        Job job = job(BlockStrategy.SERIAL);
        List<Run> fires = fireAll(job, 1_003);

        assertThat(sent()).containsExactly(fires.get(0).id());
        assertThat(statusOf(fires.get(1_000))).isEqualTo(RunStatus.INIT);
        for (Run refused : fires.subList(1_001, 1_003)) {
            assertThat(statusOf(refused)).isEqualTo(RunStatus.TRIGGER_FAILED);
            assertThat(runs.get(refused.id()).triggerMsg()).isEqualTo("as many runs of the job wait as may (1000)");
        }
        assertThat(deadLetters()).isEqualTo(2);
    }

    @Test
    void rejectedRetryOfDeadLetterStaysDeadLetter() {
        Job job = job(BlockStrategy.DISCARD);
        Run failed = fire(job);
        finish(failed, Codes.FAIL);
        Run busy = fire(job);

        completion.dead.retry(List.of(new DeadRef(failed.id(), failed.id(), DeadKind.RUN, job.id())));
        look();

        Run again = runs.attemptsOf(failed.id()).get(1);
        assertThat(statusOf(again)).isEqualTo(RunStatus.TRIGGER_FAILED);
        assertThat(runs.get(again.id()).cause()).isEqualTo(RunCause.REFUSED);
        assertThat(deadLetters()).isEqualTo(1);
        assertThat(statusOf(busy)).isEqualTo(RunStatus.PENDING);
    }

    @Test
    void killedOrLostRunFreesItsJob() {
        Job job = job(BlockStrategy.SERIAL);
        Run lost = fire(job);
        Run killed = fire(job);
        Run last = fire(job);
        kills.request(List.of(killed.id()), "someone", "", Duration.ZERO);
        kills.endUnsent(List.of(killed.id()));
        admin.jdbc
                .sql("update orth_executor set status = 'DEAD' where id = :id")
                .param("id", runs.get(lost.id()).executorId())
                .update();

        assertThat(runs.loseOfGoneExecutors(Duration.ZERO, 10)).isEqualTo(1);
        settle();

        assertThat(sent()).containsExactly(lost.id(), last.id());
    }

    @Test
    void periodicCheckFindsUndecidedTurn() {
        Job job = job(BlockStrategy.SERIAL);
        List<Run> planted = runs.create(List.of(newRun(job), newRun(job)), AdminFixture.CLAIM);

        settle();
        assertThat(sent()).isEmpty();
        look();

        assertThat(sent()).containsExactly(planted.get(0).id());
        admin.callbacks.take(group.id(), List.of(result(planted.get(0), Codes.SUCCESS)));
        look();
        assertThat(sent()).containsExactlyElementsOf(ids(planted));
    }

    @Test
    void waitingRunIgnoresRunsCreatedAfterScopeChange() {
        Job job = job(BlockStrategy.SERIAL);
        List<Run> fires = fireAll(job, 2);
        Job changed = admin.jobs.update(
                job.id(), job.version(), spec(new Execution(BlockStrategy.SERIAL, 1, 0, GlueType.BEAN)), true);
        Run newer = fire(changed);

        look();
        assertThat(sent()).containsExactlyInAnyOrder(fires.get(0).id(), newer.id());
        finish(fires.get(0), Codes.SUCCESS);
        look();

        assertThat(statusOf(newer)).isEqualTo(RunStatus.PENDING);
        assertThat(sent()).contains(fires.get(1).id());
    }

    @Test
    void waitingRunsContinueAfterScopeChangeOrDeletion() {
        Job job = job(BlockStrategy.SERIAL);
        List<Run> fires = fireAll(job, 3);
        admin.jobs.update(
                job.id(), job.version(), spec(new Execution(BlockStrategy.SERIAL, 1, 0, GlueType.BEAN)), true);
        finish(fires.get(0), Codes.SUCCESS);
        look();
        admin.jobs.delete(job.id());
        finish(fires.get(1), Codes.SUCCESS);
        look();

        assertThat(sent()).containsExactlyElementsOf(ids(fires));
    }

    @Test
    void decidesOtherJobsIfOneFails() {
        List<Job> jobs = Stream.of("one", "broken", "another")
                .map(name -> job(name, BlockStrategy.SERIAL, Routing.DEFAULT))
                .toList();
        Job broken = jobs.get(1);
        admin.jdbc.sql("""
                        create function broken_job() returns trigger language plpgsql as
                        $$ begin raise exception 'this job is broken'; end $$
                        """).update();
        admin.jdbc
                .sql("create trigger broken_job before update on orth_run for each row when (old.job_id = %d)"
                                .formatted(broken.id())
                        + " execute function broken_job()")
                .update();
        try {
            runs.create(jobs.stream().map(TurnKeeperDbTest::newRun).toList(), AdminFixture.CLAIM);
            nanos.addAndGet(LOOK.toNanos());
            keeper.run();

            assertThat(waiting()).containsExactly(broken.id());
        } finally {
            admin.jdbc.sql("drop function broken_job() cascade").update();
        }
        look();

        assertThat(waiting()).isEmpty();
    }

    private List<Integer> waiting() {
        return admin.jdbc
                .sql("select job_id from orth_run where awaits_turn")
                .query(Integer.class)
                .list();
    }

    @Test
    void sendsNoWaitingRun() {
        Job job = job(BlockStrategy.SERIAL);
        fire(job);
        Run waiting = fire(job);
        admin.expireClaims();

        triggers.dispatcher.submit(List.of(runs.get(waiting.id())));
        triggers.sendAll();

        assertThat(runs.claimUnsent(10, AdminFixture.CLAIM)).isEmpty();
        assertThat(statusOf(waiting)).isEqualTo(RunStatus.INIT);
        assertThat(sent()).hasSize(1);
    }

    @Test
    void concurrentAdminsGrantOneTurn() throws Exception {
        List<Job> jobs = List.of(
                job("discards", BlockStrategy.DISCARD, Routing.DEFAULT),
                job("waits", BlockStrategy.SERIAL, Routing.DEFAULT));
        int nodes = 4;
        ExecutorService threads = Executors.newFixedThreadPool(nodes);
        try {
            for (int round = 0; round < 15; round++) {
                List<Callable<List<Run>>> work = Collections.nCopies(nodes, () -> {
                    runs.create(jobs.stream().map(TurnKeeperDbTest::newRun).toList(), AdminFixture.CLAIM);
                    return new RunTurns(admin.jdbc, completion.changes, admin.transactions)
                            .decide(ids(jobs, Job::id), AdminFixture.CLAIM)
                            .next();
                });
                for (Future<List<Run>> node : threads.invokeAll(work)) {
                    node.get();
                }
                for (Job job : jobs) {
                    List<Long> turn = admin.jdbc
                            .sql("select id from orth_run where job_id = :job and not awaits_turn")
                            .param("job", job.id())
                            .query(Long.class)
                            .list();
                    assertThat(turn).hasSize(1);
                    end(turn.get(0));
                }
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** Kills an unsent run without a signal. */
    private void end(long run) {
        admin.kills.request(List.of(run), "test", "", Duration.ZERO);
        admin.kills.endUnsent(List.of(run));
    }

    private Job job(BlockStrategy block) {
        return job(block, Routing.DEFAULT);
    }

    private Job job(BlockStrategy block, Routing routing) {
        return job("job", block, routing);
    }

    private Job job(String name, BlockStrategy block, Routing routing) {
        Execution execution = new Execution(block, BlockScope.CLUSTER, 1, 0, GlueType.BEAN);
        return admin.jobs.create(
                new JobSpec(
                        name,
                        group.id(),
                        "handler",
                        "",
                        new Schedule.None(),
                        MisfirePolicy.FIRE_ONCE,
                        execution,
                        routing,
                        new AfterRun(retry, List.of())),
                true);
    }

    private JobSpec spec(Execution execution) {
        return JobSpecs.of("job", group.id(), "handler", "", new Schedule.None(), MisfirePolicy.FIRE_ONCE, execution);
    }

    private static NewRun newRun(Job job) {
        return NewRun.of(job, "", TriggerType.API, null, null);
    }

    private Run fire(Job job) {
        return fireAll(job, 1).get(0);
    }

    private List<Run> fireAll(Job job, int fires) {
        Triggers all = triggers.triggers(runs);
        List<Run> made = all.create(Collections.nCopies(fires, newRun(job)));
        all.send(made);
        settle();
        return made;
    }

    private void settle() {
        keeper.run();
        triggers.sendAll();
    }

    /** Runs the periodic check of all jobs. */
    private void look() {
        nanos.addAndGet(LOOK.toNanos());
        settle();
    }

    private void finish(Run run, int code) {
        assertThat(callbacks.take(group.id(), List.of(result(run, code))).recorded())
                .isEqualTo(1);
        settle();
    }

    private CallbackItem result(Run run, int code) {
        String instance = admin.jdbc
                .sql(
                        "select e.instance_id from orth_run r join orth_executor e on e.id = r.executor_id where r.id = :id")
                .param("id", run.id())
                .query(String.class)
                .single();
        return new CallbackItem(run.id(), run.logDateTime(), code, "done", instance);
    }

    private List<Long> sent() {
        return arrived.stream().map(TriggerRequest::logId).toList();
    }

    private TriggerRequest triggerOf(Run run) {
        return arrived.stream()
                .filter(trigger -> trigger.logId() == run.id())
                .findFirst()
                .orElseThrow();
    }

    private RunStatus statusOf(Run run) {
        return runs.get(run.id()).status();
    }

    private static List<Long> ids(List<Run> some) {
        return ids(some, Run::id);
    }

    private static <T, I> List<I> ids(List<T> some, Function<T, I> id) {
        return some.stream().map(id).toList();
    }

    private List<Decision> decisions(Job job) {
        return admin.ledger.list(new DecisionFilter(job.id(), null, null, null, Long.MAX_VALUE, 10));
    }

    private long deadLetters() {
        return admin.jdbc
                .sql("select count(*) from orth_dead_letter")
                .query(Long.class)
                .single();
    }

    private void executor(String instance) {
        FakeExecutor executor = new FakeExecutor(instance);
        executor.accept(arrived::add);
        executors.add(executor);
        admin.executor(group, instance, executor.address());
    }
}
