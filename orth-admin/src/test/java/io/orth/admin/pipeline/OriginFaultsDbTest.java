package io.orth.admin.pipeline;

import static io.orth.admin.pipeline.PipelineFixture.failed;
import static io.orth.admin.pipeline.PipelineFixture.keyOf;
import static io.orth.admin.pipeline.PipelineFixture.ok;
import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.AdminFixture;
import io.orth.admin.queue.Revocations;
import io.orth.admin.registry.ExecutorGroup;
import io.orth.admin.registry.Target;
import io.orth.protocol.ClaimedMessage;
import io.orth.protocol.Registration;
import io.orth.protocol.TaskVerdict;
import io.orth.runtime.Duty.Pass;
import io.orth.testkit.TestDatabase;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Eight faults of comparable pipelines elsewhere, each of which is impossible here. */
@Tag("must-pipelines")
class OriginFaultsDbTest {

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private AdminFixture admin;
    private PipelineFixture given;
    private ExecutorGroup group;
    private Target executor;

    @BeforeEach
    void setUp() {
        admin = AdminFixture.onEmptied(db);
        given = admin.pipelines;
        group = admin.group("workers");
        executor = admin.executor(group, "one", "http://127.0.0.1:9999");
        given.define("books", "courses", "chapters");
    }

    private static String[] targets(int count) {
        return IntStream.range(0, count).mapToObj(i -> "t" + i).toArray(String[]::new);
    }

    /** 1: readers without locks send twice. */
    @Test
    void concurrentDispatchersSendEachTaskOnce() {
        given.submit("books", targets(1_000));
        given.submit("books", targets(1_000));
        OutboxDispatcher other = given.dispatcher;

        inParallel(() -> drain(given.dispatcher), () -> drain(other), () -> drain(given.dispatcher));

        List<ClaimedMessage> received = Stream.generate(() -> given.receive("courses", executor, 1_000))
                .takeWhile(some -> !some.isEmpty())
                .flatMap(List::stream)
                .toList();
        Set<Long> tasks = new HashSet<>();
        received.forEach(message -> tasks.add(keyOf(message).taskId()));
        assertThat(received).hasSize(2_000);
        assertThat(tasks).hasSize(2_000);
    }

    private static void drain(OutboxDispatcher dispatcher) {
        while (dispatcher.run() == Pass.MORE) {
            // Until nothing is left.
        }
    }

    private static void inParallel(Runnable... some) {
        ExecutorService threads = Executors.newFixedThreadPool(some.length);
        try {
            CompletableFuture.allOf(Stream.of(some)
                            .map(one -> CompletableFuture.runAsync(one, threads))
                            .toArray(CompletableFuture[]::new))
                    .join();
        } finally {
            threads.shutdownNow();
        }
    }

    /** 1: an entry that always fails is retried forever, and the entries behind it starve. */
    @Test
    void parksPoisonEntryWithoutDelayingOthers() {
        for (int i = 0; i < 10; i++) {
            given.submit("books", targets(1_000));
        }
        admin.jdbc.sql("""
                        update orth_outbox
                           set destination = 'no such/queue', next_attempt_at = next_attempt_at - interval '1 hour'
                         where id = (select min(id) from orth_outbox)
                        """).update();

        given.dispatch();

        assertThat(count("select count(*) from orth_message")).isEqualTo(9_999);
        for (int i = 0; i < 5; i++) {
            admin.jdbc
                    .sql("update orth_outbox set next_attempt_at = now() - interval '1 second' where sent_at is null")
                    .update();
            given.dispatch();
        }
        List<OutboxEntry> parked = given.outbox.list(true, 0, 10);
        assertThat(parked).hasSize(1);
        assertThat(parked.get(0).attempts()).isEqualTo(3);
        assertThat(parked.get(0).lastError()).contains("queue");

        PipelineTask failed = given.tasks.get(parked.get(0).taskId());
        assertThat(failed.status()).isEqualTo(PipelineTaskStatus.FAILED);

        assertThat(given.outbox.redrive(null, "ann")).isEqualTo(1);
        given.reconcile();
        given.dispatch();

        assertThat(count("select count(*) from orth_message")).isEqualTo(10_000);
        assertThat(given.outbox.list(true, 0, 10)).isEmpty();
    }

    private long count(String statement) {
        return admin.jdbc.sql(statement).query(Long.class).single();
    }

    /** 2: a retry has the id of the failed job, and is taken for a duplicate of it. */
    @Test
    void deliversRetryOfFailedTask() {
        long run = given.submit("books", "math");
        TaskKey key = given.work("courses", executor).get(0);
        given.finish(executor, failed(key, TaskResult.Outcome.PERMANENT));
        given.reconcile();
        assertThat(given.statusOf(run)).isEqualTo(PipelineRunStatus.FAILED);

        given.runs.retry(run, null, null, "ann");
        given.reconcile();

        List<TaskKey> again = given.work("courses", executor);
        assertThat(again).hasSize(1);
        assertThat(again.get(0).attempt()).isEqualTo(2);
        given.finish(executor, ok(again.get(0)));
        given.reconcile();
        assertThat(given.statusOf(run)).isEqualTo(PipelineRunStatus.COMPLETED);
    }

    /** 3: the process that fails to get the lock releases the lock of another process. */
    @Test
    void leavesRunLockedByAnotherReconciler() {
        long run = given.submit("books", "math");
        given.work("courses", executor).forEach(key -> given.finish(executor, ok(key, "one")));

        admin.transactions.run(() -> {
            assertThat(given.tables.roots.claim(run)).isPresent();
            inParallel(() -> given.reconciler.run());
            assertThat(given.tasksOf(run, 1)).isEmpty();
        });
        given.reconcile();

        assertThat(given.tasksOf(run, 1)).containsExactly("one PENDING");
    }

    /** 4: a crash during a fan-out leaves a stage incomplete forever, because some children exist. */
    @Test
    void resumesInterruptedFanOut() {
        long run = given.submit("books", "math", "art", "law");
        given.work("courses", executor)
                .forEach(key -> given.finish(executor, ok(key, targets(1_000 - (int) (key.taskId() % 2)))));
        admin.transactions.run(() -> given.pass.run(run, null));
        admin.transactions.run(() -> given.pass.run(run, null));
        assertThat(given.runs.get(run).progress().get(1).expected()).isNull();

        inParallel(() -> given.reconciler.run(), () -> given.reconciler.run());
        given.reconcile();

        assertThat(given.tasksOf(run, 1)).hasSize(1_000).doesNotHaveDuplicates();
        assertThat(given.runs.get(run).progress().get(1).expected()).isEqualTo(1_000);
        assertThat(count("select count(distinct job_id) from orth_outbox")).isEqualTo(1_003);
    }

    /** 5: a paused job returns to pending while its message is acknowledged, so it is never delivered again. */
    @Test
    void deliversPausedTaskAfterResume() {
        given.submit("books", "math");
        given.dispatch();
        given.pipelines.pause("books");

        assertThat(given.work("courses", executor)).isEmpty();
        assertThat(count("select count(*) from orth_message_history where result = 'skipped: paused'"))
                .isEqualTo(1);
        assertThat(given.work("courses", executor)).isEmpty();
        given.pipelines.resume("books");
        assertThat(given.work("courses", executor)).hasSize(1);
    }

    /** 5: nothing rescues a running job whose worker dies. */
    @Test
    void reassignsTaskOfDeadExecutor() {
        long run = given.submit("books", "math");
        given.work("courses", executor);
        admin.executors.leave(group.id(), new Registration.Instance("one", "host", 7, "test", true));
        Target other = admin.executor(group, "two", "http://127.0.0.1:9998");

        given.rescue();

        List<TaskKey> again = given.work("courses", other);
        assertThat(again).hasSize(1);
        assertThat(again.get(0).attempt()).isEqualTo(2);
        given.finish(other, ok(again.get(0)));
        given.reconcile();
        assertThat(given.statusOf(run)).isEqualTo(PipelineRunStatus.COMPLETED);
    }

    /** 6: a root finishes while a task is claimed, because only pending and running tasks are counted. */
    @Test
    void claimedTaskKeepsRunUnfinished() {
        long run = given.submit("books", "math", "art");
        long claimed = given.tasks.unchanged(1).get(0).id();
        given.claimOnly("courses", executor, claimed);
        given.work("courses", executor).forEach(key -> given.finish(executor, ok(key)));

        given.reconcile();

        assertThat(given.statusOf(run)).isEqualTo(PipelineRunStatus.RUNNING);
        assertThat(given.tasksOf(run, 1)).isEmpty();
    }

    /** 6: the specification's diagram says completed, its text says failed. */
    @Test
    void failsRunBeyondToleranceOfStage() {
        given.define(
                "bearing", PipelineFixture.stage("courses", new Tolerance("50%")), PipelineFixture.stage("chapters"));
        long run = given.submit("bearing", "a", "b");
        long other = given.submit("bearing", "a", "b");
        given.work("courses", executor).forEach(key -> {
            boolean second = given.tasks.get(key.taskId()).targetId().equals("b")
                    || given.tasks.get(key.taskId()).rootId() == other;
            given.finish(executor, second ? failed(key, TaskResult.Outcome.PERMANENT) : ok(key, "x"));
        });
        given.reconcile();

        assertThat(given.statusOf(other)).isEqualTo(PipelineRunStatus.FAILED);
        assertThat(given.runs.get(other).failure()).contains("TOO_MANY_FAILURES");
        assertThat(given.statusOf(run)).isEqualTo(PipelineRunStatus.RUNNING);
        assertThat(given.tasksOf(run, 1)).containsExactly("x PENDING");
    }

    /** 7: a worker that was declared dead overwrites the result of the current worker. */
    @Test
    void rejectsResultOfEarlierAttemptOrOtherExecutor() {
        long run = given.submit("books", "math");
        TaskKey first = given.work("courses", executor).get(0);
        admin.executors.leave(group.id(), new Registration.Instance("one", "host", 7, "test", true));
        Target other = admin.executor(group, "two", "http://127.0.0.1:9998");
        given.rescue();
        TaskKey second = given.work("courses", other).get(0);

        assertThat(given.finish(executor, ok(first, "wrong"))).isEqualTo(TaskVerdict.STALE);
        assertThat(given.finish(executor, ok(second, "wrong"))).isEqualTo(TaskVerdict.STALE);
        assertThat(given.content(executor, first, "wrong")).isEqualTo(TaskVerdict.STALE);
        assertThat(given.finish(other, ok(second, "right"))).isEqualTo(TaskVerdict.RECORDED);
        assertThat(given.finish(other, ok(second, "right"))).isEqualTo(TaskVerdict.STALE);

        given.reconcile();
        assertThat(given.tasksOf(run, 1)).containsExactly("right PENDING");
    }

    /** 7: cancelling a root does not touch its children. */
    @Test
    void cancellingRunCancelsTasksAndRevokesClaims() {
        long run = given.submit("books", "math", "art");
        given.dispatch();
        ClaimedMessage message = given.receive("courses", executor, 1).get(0);
        TaskKey key = keyOf(message);

        given.runs.cancel(run, "ann", "enough");

        assertThat(given.content(executor, key, "late")).isEqualTo(TaskVerdict.CANCELLED);
        given.reconcile();
        assertThat(given.tasksOf(run, 0)).containsExactlyInAnyOrder("math CANCELLED", "art CANCELLED");
        assertThat(given.receive("courses", executor, 10)).isEmpty();
        assertThat(new Revocations(admin.jdbc).of(executor.executorId())).containsExactly(message.logId());
        assertThat(given.finish(executor, ok(key))).isEqualTo(TaskVerdict.CANCELLED);
        assertThat(given.statusOf(run)).isEqualTo(PipelineRunStatus.CANCELLED);
        assertThat(given.tasks.content(run, null, null, 0, 10)).isEmpty();
    }

    /** 8: the backlog is computed from counters, which restart with the process and ignore failures. */
    @Test
    void readsBacklogFromDatabase() {
        long run = given.submit("books", "math", "art", "law");
        List<TaskKey> keys = given.work("courses", executor);
        given.finish(executor, ok(keys.get(0)));
        given.finish(executor, failed(keys.get(1), TaskResult.Outcome.PERMANENT));
        given.reconcile();

        given.measure();
        assertThat(given.meters.get("hydrate.jobs.backlog").gauge().value()).isEqualTo(1);

        given.runs.cancel(run, "ann", null);
        given.reconcile();
        given.measure();
        assertThat(given.meters.get("hydrate.jobs.backlog").gauge().value()).isZero();
    }
}
