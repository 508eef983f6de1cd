package io.orth.admin.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.admin.AdminFixture;
import io.orth.admin.kernel.Fence;
import io.orth.admin.pipeline.PipelineFixture;
import io.orth.admin.pipeline.TaskKey;
import io.orth.admin.queue.QueueFixture;
import io.orth.admin.registry.ExecutorGroup;
import io.orth.admin.registry.Target;
import io.orth.admin.run.RunRepository.Gone;
import io.orth.protocol.CallbackItem;
import io.orth.protocol.ClaimedMessage;
import io.orth.protocol.Codes;
import io.orth.protocol.MessageResult;
import io.orth.protocol.TaskVerdict;
import io.orth.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Results of runs, messages and tasks count only for the current executor and claim. */
@Tag("must-kernel")
class FenceDbTest {

    private static final String QUEUE = "emails";
    private static final Duration LIMIT = Duration.ofMinutes(2);

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private AdminFixture admin;
    private ExecutorGroup group;
    private Target mine;
    private Target other;
    private RunLifecycle lifecycle;

    @BeforeEach
    void setUp() {
        admin = AdminFixture.onEmptied(db);
        group = admin.group("group");
        mine = admin.executor(group, "mine", "http://127.0.0.1:1");
        other = admin.executor(group, "other", "http://127.0.0.1:2");
        lifecycle = new RunLifecycle(admin.jdbc, admin.changes);
    }

    @Test
    void ignoresRunResultOfAnotherClaim() {
        Run run = admin.pendingRun(group, mine);
        List<String> before = admin.journalOf(run);

        assertThat(finish(run, new Fence(other.executorId(), run.dispatch()))).isEmpty();
        assertThat(finish(run, new Fence(mine.executorId(), run.dispatch() + 1)))
                .isEmpty();
        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.PENDING);
        assertThat(admin.journalOf(run)).isEqualTo(before);

        assertThat(finish(run, new Fence(mine.executorId(), run.dispatch()))).containsExactly(run.id());
        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.SUCCESS);
    }

    /** The first executor responds after the run was sent to another executor. */
    @Test
    void ignoresAcceptanceOfOldDispatch() {
        Run old = admin.intendedRun(group, mine);
        Run now = sentAgain(old, other);
        List<String> before = admin.journalOf(now);

        assertThat(accept(Acceptance.of(old, "accepted by mine"))).isEmpty();
        assertThat(accept(new Acceptance(now.id(), new Fence(mine.executorId(), now.dispatch()), "accepted by mine")))
                .isEmpty();
        assertThat(accept(new Acceptance(now.id(), new Fence(null, now.dispatch()), "accepted")))
                .isEmpty();
        assertThat(admin.runs.get(now.id())).isEqualTo(now);
        assertThat(admin.journalOf(now)).isEqualTo(before);

        assertThat(accept(Acceptance.of(now, "accepted by other"))).containsExactly(now.id());
        assertThat(admin.statusOf(now)).isEqualTo(RunStatus.PENDING);
    }

    @Test
    void ignoresRejectionOfOldDispatch() {
        Run old = admin.intendedRun(group, mine);
        Run now = sentAgain(old, other);

        for (Fence fence :
                List.of(old.fence(), new Fence(mine.executorId(), now.dispatch()), new Fence(null, now.dispatch()))) {
            Refusal refusal = new Refusal(now.id(), fence, "no");
            assertThat(admin.runs.refuse(List.of(refusal))).isEmpty();
            assertThat(admin.runs.skip(List.of(refusal))).isEmpty();
        }
        assertThat(admin.runs.get(now.id())).isEqualTo(now);

        assertThat(admin.runs.refuse(List.of(Refusal.of(now, "no")))).containsExactly(now.id());
    }

    /** The first executor was declared dead, and another executor has accepted the run since. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void ignoresLossOfOldDispatch(boolean killed) {
        Run old = admin.intendedRun(group, mine);
        Run now = sentAgain(old, other);
        accept(Acceptance.of(now, "accepted by other"));
        List<String> before = admin.journalOf(now);
        Run.Kill kill = killed ? new Run.Kill(Instant.now(), "ann", "") : null;

        for (Fence fence :
                List.of(old.fence(), new Fence(mine.executorId(), now.dispatch()), new Fence(null, now.dispatch()))) {
            assertThat(lose(new Gone(now.id(), fence, kill))).isEmpty();
        }
        assertThat(admin.statusOf(now)).isEqualTo(RunStatus.PENDING);
        assertThat(admin.journalOf(now)).isEqualTo(before);

        assertThat(lose(new Gone(now.id(), now.fence(), kill))).containsExactly(now.id());
        assertThat(admin.journalOf(now)).endsWith("PENDING->FAILED " + (killed ? "KILLED" : "LOST"));
    }

    private Set<Long> lose(Gone run) {
        return admin.transactions.call(() -> lifecycle.fail(List.of(run), "Result lost", "its executor is gone"));
    }

    /** A fence without an executor is compared like any other. */
    @Test
    void rejectsWithdrawnRunOnlyWithoutExecutor() {
        Run sent = admin.intendedRun(group, mine);
        admin.runs.withdraw(List.of(Refusal.of(sent, "unreachable")), AdminFixture.CLAIM);

        assertThat(admin.runs.refuse(List.of(Refusal.of(sent, "no")))).isEmpty();
        assertThat(admin.runs.refuse(List.of(Refusal.of(admin.runs.get(sent.id()), "no"))))
                .containsExactly(sent.id());
    }

    private Run sentAgain(Run run, Target target) {
        admin.runs.intend(
                List.of(new SendIntent(run.id(), run.dispatch(), target.executorId(), target.address())),
                AdminFixture.CLAIM);
        return admin.runs.get(run.id());
    }

    private Set<Long> accept(Acceptance acceptance) {
        return admin.runs.accept(List.of(acceptance), RunCause.ACCEPTED);
    }

    /** The first executor was read as the owner, and the run is sent to another before the result is recorded. */
    @Test
    void earlyResultDoesNotFinishNextDispatch() {
        Run run = admin.intendedRun(group, mine);
        Fence read = new Fence(mine.executorId(), run.dispatch());
        admin.runs.intend(
                List.of(new SendIntent(run.id(), run.dispatch(), other.executorId(), other.address())),
                AdminFixture.CLAIM);

        Set<Long> finished = admin.transactions.call(
                () -> lifecycle.finish(List.of(new Report(result(run, "mine"), false, null, false, read))));

        assertThat(finished).isEmpty();
        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.INIT);
    }

    /** An executor that did not respond in time gets the run again while its result is on the way. */
    @Test
    void countsResultDuringRedispatchToSameExecutor() throws Exception {
        Run run = admin.intendedRun(group, mine);

        CallbackIntake.Outcome outcome = takeWhileSentAgain(run, mine, result(run, "mine"));

        assertThat(outcome).isEqualTo(new CallbackIntake.Outcome(1, 0, 0, 0));
        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.SUCCESS);
    }

    @Test
    void ignoresResultDuringDispatchToOtherExecutor() throws Exception {
        Run run = admin.intendedRun(group, mine);
        CallbackItem failure =
                new CallbackItem(run.id(), run.logDateTime(), Codes.FAIL, "failed", "mine", true, 5_000L);

        CallbackIntake.Outcome outcome = takeWhileSentAgain(run, other, failure);

        assertThat(outcome).isEqualTo(new CallbackIntake.Outcome(0, 0, 0, 1));
        assertThat(admin.jdbc
                        .sql("select status, non_retryable, retry_after_ms, executor_id from orth_run where id = :id")
                        .param("id", run.id())
                        .query((row, n) ->
                                Arrays.asList(row.getString(1), row.getObject(2), row.getObject(3), row.getLong(4)))
                        .single())
                .containsExactly("INIT", null, null, other.executorId());
    }

    /** The run is sent again after the owner of its result was read and before the result is recorded. */
    private CallbackIntake.Outcome takeWhileSentAgain(Run run, Target target, CallbackItem result) throws Exception {
        CompletableFuture<CallbackIntake.Outcome> taken = new CompletableFuture<>();
        admin.transactions.run(() -> {
            admin.runs.intend(
                    List.of(new SendIntent(run.id(), run.dispatch(), target.executorId(), target.address())),
                    AdminFixture.CLAIM);
            int pid = admin.jdbc
                    .sql("select pg_backend_pid()")
                    .query(Integer.class)
                    .single();
            taken.completeAsync(() -> admin.callbacks.take(group.id(), List.of(result)));
            await().atMost(LIMIT).until(() -> taken.isDone() || isBlockedBy(pid));
            assertThat(taken).isNotDone();
        });
        return taken.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    /** Uses its own connection, because a transaction caches the list of sessions. */
    private boolean isBlockedBy(int pid) throws SQLException {
        try (Connection connection = db.dataSource().getConnection();
                PreparedStatement blocked = connection.prepareStatement(
                        "select from pg_stat_activity where ? = any(pg_blocking_pids(pid))")) {
            blocked.setInt(1, pid);
            return blocked.executeQuery().next();
        }
    }

    @Test
    void ignoresCallbackOfAnotherInstance() {
        Run run = admin.pendingRun(group, mine);

        assertThat(admin.callbacks
                        .take(group.id(), List.of(result(run, "other")))
                        .forged())
                .isEqualTo(1);
        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.PENDING);

        assertThat(admin.callbacks
                        .take(group.id(), List.of(result(run, "mine")))
                        .recorded())
                .isEqualTo(1);
    }

    /** Completed, failed, dead-lettered and released messages are handled by different statements. */
    @ParameterizedTest
    @ValueSource(ints = {Codes.SUCCESS, Codes.FAIL, Codes.TIMEOUT, Codes.NONE})
    void ignoresMessageResultOfAnotherClaim(int code) {
        for (int attempts : new int[] {1, 3}) {
            admin.queues.push(QUEUE, QueueFixture.withAttempts(attempts));
            ClaimedMessage message =
                    admin.queues.claim(QUEUE, mine.executorId(), 1).get(0);

            report(QUEUE, other, message.id(), message.logId(), code);
            report(QUEUE, mine, message.id(), message.logId() + 1, code);
            assertThat(statusOf(message)).containsExactly("RUNNING");

            report(QUEUE, mine, message.id(), message.logId(), code);
            assertThat(statusOf(message)).doesNotContain("RUNNING");
            admin.jdbc.sql("delete from orth_message").update();
        }
    }

    @Test
    void ignoresTaskResultOfAnotherClaim() {
        admin.pipelines.define("books", "courses");
        long run = admin.pipelines.submit("books", "math");
        admin.pipelines.dispatch();
        ClaimedMessage message =
                admin.queues.claim("q.courses", mine.executorId(), 1).get(0);
        List<Map<String, Object>> before = taskOf(run);

        report("q.courses", other, message.id(), message.logId(), Codes.SUCCESS);
        report("q.courses", mine, message.id(), message.logId() + 1, Codes.SUCCESS);

        assertThat(taskOf(run)).isEqualTo(before);
        assertThat(statusOf(message)).containsExactly("RUNNING");
        report("q.courses", mine, message.id(), message.logId(), Codes.SUCCESS);
        assertThat(statusOf(message)).isEmpty();
    }

    /** Reports about another claim are rejected earlier, so this test runs the statement that moves tasks directly. */
    @ParameterizedTest
    @ValueSource(strings = {"BEGUN", "COMPLETED", "EXHAUSTED", "LOST", "RETURNED"})
    void doesNotMoveTaskUnderAnotherClaim(String cause) {
        admin.pipelines.define("books", "courses");
        long run = admin.pipelines.submit("books", "math");
        admin.pipelines.dispatch();
        ClaimedMessage message =
                admin.queues.claim("q.courses", mine.executorId(), 1).get(0);
        long task = message.task().taskId();
        if (cause.equals("BEGUN")) {
            admin.jdbc.sql("update orth_pipeline_task set status = 'CLAIMED'").update();
        }
        List<Map<String, Object>> before = taskOf(run);

        assertThat(admin.pipelines.moves(task, cause, new Fence(other.executorId(), message.logId())))
                .isFalse();
        assertThat(admin.pipelines.moves(task, cause, new Fence(mine.executorId(), message.logId() + 1)))
                .isFalse();

        assertThat(taskOf(run)).isEqualTo(before);
        assertThat(admin.pipelines.moves(task, cause, new Fence(mine.executorId(), message.logId())))
                .isTrue();
        assertThat(taskOf(run)).isNotEqualTo(before);
    }

    /** A released attempt does not count, so the next attempt has the same number. */
    @Test
    void rejectsContentAndStepsOfAnotherClaim() {
        admin.pipelines.define("books", "courses");
        admin.pipelines.submit("books", "math");
        admin.pipelines.dispatch();
        TaskKey returned = claimTask();
        admin.pipelines.giveBack(mine, returned);
        TaskKey now = claimTask();
        assertThat(now.attempt()).isEqualTo(returned.attempt());

        assertThat(admin.pipelines.content(mine, returned, "page")).isEqualTo(TaskVerdict.STALE);
        assertThat(admin.pipelines.step(mine, returned)).isEqualTo(TaskVerdict.STALE);
        assertThat(admin.pipelines.content(other, now, "page")).isEqualTo(TaskVerdict.STALE);
        assertThat(admin.pipelines.step(other, now)).isEqualTo(TaskVerdict.STALE);

        assertThat(admin.pipelines.content(mine, now, "page")).isEqualTo(TaskVerdict.RECORDED);
        assertThat(admin.pipelines.step(mine, now)).isEqualTo(TaskVerdict.RECORDED);
    }

    private TaskKey claimTask() {
        return PipelineFixture.keyOf(admin.pipelines.receive("courses", mine, 1).get(0));
    }

    private Set<Long> finish(Run run, Fence fence) {
        return admin.transactions.call(
                () -> lifecycle.finish(List.of(new Report(result(run, "mine"), true, null, false, fence))));
    }

    private static CallbackItem result(Run run, String instance) {
        return new CallbackItem(run.id(), run.logDateTime(), Codes.SUCCESS, "done", instance);
    }

    private void report(String queue, Target executor, long id, long logId, int code) {
        admin.queues.report(queue, executor.executorId(), new MessageResult(id, logId, code, "said", false, null, 1));
    }

    private List<String> statusOf(ClaimedMessage message) {
        return admin.jdbc
                .sql("select status from orth_message where id = :id")
                .param("id", message.id())
                .query(String.class)
                .list();
    }

    private List<Map<String, Object>> taskOf(long run) {
        return admin.jdbc
                .sql("select status, seq, attempts, executor_id, log_id from orth_pipeline_task where root_id = :run")
                .param("run", run)
                .query()
                .listOfRows();
    }
}
