package io.orth.admin.pipeline;

import static io.orth.admin.pipeline.PipelineFixture.failed;
import static io.orth.admin.pipeline.PipelineFixture.ok;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.admin.AdminFixture;
import io.orth.admin.kernel.Backoff;
import io.orth.admin.kernel.EntityKind;
import io.orth.admin.registry.Target;
import io.orth.protocol.ClaimedMessage;
import io.orth.protocol.Codes;
import io.orth.protocol.MessageResult;
import io.orth.protocol.TaskVerdict;
import io.orth.testkit.TestDatabase;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Findings and repairs of the reconciler, periodic and on demand. */
@Tag("must-pipelines")
class PipelineReconcilerDbTest {

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private AdminFixture admin;
    private PipelineFixture given;
    private Target executor;
    private long run;

    @BeforeEach
    void setUp() {
        admin = AdminFixture.onEmptied(db);
        given = admin.pipelines;
        executor = admin.executor(admin.group("workers"), "one", "http://127.0.0.1:9999");
        given.define("books", "courses", "chapters");
        run = given.submit("books", "math", "art");
    }

    private void execute(String statement) {
        assertThat(admin.jdbc.sql(statement).update()).isPositive();
    }

    private void letTimePass() {
        execute("update orth_pipeline_task set status_at = status_at - interval '2 minutes'");
        execute("update orth_pipeline_run set audit_at = now()");
    }

    private List<String> kinds(Reconciliation done) {
        return done.actions().stream().map(Reconciliation.Action::kind).toList();
    }

    @Test
    void resendsTaskWhoseMessageIsMissing() {
        given.dispatch();
        execute("delete from orth_message");
        letTimePass();

        given.reconcile();

        assertThat(given.repairs(Repair.ORPHAN_MESSAGE)).isEqualTo(2);
        assertThat(given.work("courses", executor)).hasSize(2);
    }

    @Test
    void leavesQueuedTaskAlone() {
        given.dispatch();
        letTimePass();

        given.reconcile();

        assertThat(given.repairs(Repair.ORPHAN_MESSAGE)).isZero();
        assertThat(given.work("courses", executor)).hasSize(2);
        assertThat(given.work("courses", executor)).isEmpty();
    }

    @Test
    @Tag("must-kernel")
    void leavesTasksToTheirMessages() {
        List<TaskKey> keys = given.work("courses", executor);
        given.finish(executor, failed(keys.get(1)));
        letTimePass();

        given.reconcile();

        assertThat(given.repairs(Repair.ORPHAN_MESSAGE)).isZero();
        assertThat(given.finish(executor, ok(keys.get(0)))).isEqualTo(TaskVerdict.RECORDED);
        assertThat(given.work("courses", executor)).extracting(TaskKey::attempt).containsExactly(2);
    }

    @Test
    void rechecksUnderLockBeforeRepair() {
        given.dispatch();
        execute("delete from orth_message");
        letTimePass();
        Suspicion seen = given.tables.roots.suspect(run, PipelineFixture.PROPERTIES.stuckAfter(), 10);
        assertThat(seen.orphans()).hasSize(2);
        given.pass(run, seen);

        given.pass(run, seen);

        assertThat(given.repairs(Repair.ORPHAN_MESSAGE)).isEqualTo(2);
    }

    @Test
    void recountsLostCounter() {
        given.work("courses", executor).forEach(key -> given.finish(executor, ok(key, "one")));
        execute("delete from orth_pipeline_delta");
        given.reconcile();
        assertThat(given.tasksOf(run, 1)).isEmpty();

        execute("update orth_pipeline_run set audit_at = now()");
        given.reconcile();

        assertThat(given.repairs(Repair.LOST_COUNTER)).isEqualTo(1);
        assertThat(given.tasksOf(run, 1)).containsExactly("one PENDING");
    }

    @Test
    void correctsCounterThatIsTooHigh() {
        TaskKey key = given.work("courses", executor).get(0);
        given.finish(executor, ok(key, "one"));
        execute("update orth_pipeline_progress set completed = completed + 1 where stage = 0");

        given.reconcile();

        assertThat(given.tasksOf(run, 1)).isEmpty();
        assertThat(given.repairs(Repair.LOST_COUNTER)).isEqualTo(1);
        assertThat(given.runs.get(run).progress().get(0).completed()).isEqualTo(1);
    }

    @Test
    void createsMissingChild() {
        given.work("courses", executor).forEach(key -> given.finish(executor, ok(key, "one", "two")));
        given.reconcile();
        execute("delete from orth_outbox where job_id in (select id from orth_pipeline_task where target_id = 'two')");
        execute("delete from orth_pipeline_task where target_id = 'two'");
        execute("update orth_pipeline_run set audit_at = now()");

        given.reconcile();

        assertThat(given.repairs(Repair.MISSING_CHILD)).isPositive();
        assertThat(given.tasksOf(run, 1)).containsExactlyInAnyOrder("one PENDING", "two PENDING");
        assertThat(given.runs.get(run).progress().get(1).expected()).isEqualTo(2);
    }

    @Test
    void createsChildrenOfRecreatedChild() {
        given.define("deep", "courses", "chapters", "topics");
        long deep = given.submit("deep", "law");
        given.work("courses", executor).forEach(key -> given.finish(executor, ok(key, "one", "two")));
        given.reconcile();
        given.work("chapters", executor).forEach(key -> given.finish(executor, ok(key, "topic")));
        given.reconcile();
        execute(
                "delete from orth_pipeline_proposal where parent_id in (select id from orth_pipeline_task where target_id = 'two')");
        execute("delete from orth_pipeline_task where target_id = 'two'");
        execute("update orth_pipeline_run set audit_at = now()");

        given.reconcile();
        assertThat(given.tasksOf(deep, 1)).containsExactlyInAnyOrder("one COMPLETED", "two PENDING");
        given.work("chapters", executor).forEach(key -> given.finish(executor, ok(key, "late topic")));
        given.reconcile();
        given.work("topics", executor).forEach(key -> given.finish(executor, ok(key)));
        given.reconcile();

        assertThat(given.statusOf(deep)).isEqualTo(PipelineRunStatus.COMPLETED);
        assertThat(given.tasksOf(deep, 2)).containsExactlyInAnyOrder("topic COMPLETED", "late topic COMPLETED");
    }

    @Test
    void defersRunThatFailsAndReconcilesOthers() {
        long broken = run;
        long other = given.submit("books", "law");
        given.work("courses", executor).forEach(key -> given.finish(executor, ok(key)));
        execute("update orth_pipeline_run set stages = '[{}]' where id = " + broken);

        given.reconcile();

        assertThat(given.statusOf(other)).isEqualTo(PipelineRunStatus.COMPLETED);
        assertThat(given.tasks.log(broken, null, "error", 0, 10))
                .singleElement()
                .satisfies(line -> assertThat(line.payload()).contains("NOT_RECONCILED", "name"));
        assertThat(admin.jdbc
                        .sql("select look_at > now() from orth_pipeline_run where id = " + broken)
                        .query(Boolean.class)
                        .single())
                .isTrue();
        assertThat(given.meters.counter("reconciler.failures").count()).isEqualTo(1);
    }

    @Test
    void contentStatusFollowsItsTask() {
        TaskKey key = given.work("courses", executor).get(0);
        given.content(executor, key, "a text");
        given.finish(executor, failed(key, TaskResult.Outcome.PERMANENT));
        assertThat(contentOf(key)).isEqualTo("abandoned");

        given.runs.retry(run, null, null, "ann");
        given.reconcile();
        assertThat(contentOf(key)).isEqualTo("stored");
        TaskKey again = given.work("courses", executor).get(0);
        given.finish(executor, ok(again));
        assertThat(contentOf(key)).isEqualTo("ready");
    }

    @Test
    void abandonsContentOfCancelledTask() {
        TaskKey key = given.work("courses", executor).get(0);
        given.content(executor, key, "a text");

        given.runs.cancel(run, "ann", "enough");
        given.reconcile();

        assertThat(contentOf(key)).isEqualTo("abandoned");
    }

    private String contentOf(TaskKey key) {
        return admin.jdbc
                .sql("select status from orth_content_log where task_id = " + key.taskId())
                .query(String.class)
                .single();
    }

    @Test
    void dryRunReportsActionsWithoutExecutingThem() {
        given.work("courses", executor).forEach(key -> given.finish(executor, ok(key, "one")));

        Reconciliation would = given.reconciler.reconcile(run, true);

        assertThat(kinds(would)).containsExactly("STAGE_OVER");
        assertThat(given.runs.get(run).stage()).isZero();
        assertThat(given.tasks.log(run, null, null, 0, 100))
                .noneMatch(line -> line.payload().contains("reconciled"));

        Reconciliation done = given.reconciler.reconcile(run, false);

        assertThat(kinds(done)).containsExactly("STAGE_OVER", "FAN_OUT");
        assertThat(given.tasksOf(run, 1)).containsExactly("one PENDING");
        assertThat(given.tasks.log(run, null, "step", 0, 100))
                .anyMatch(line -> line.payload().contains("FAN_OUT"));
    }

    @Test
    void retryOfEarlierStageCreatesNewProposals() {
        given.define(
                "bearing",
                PipelineFixture.stage("courses", new Tolerance("ALWAYS")),
                PipelineFixture.stage("chapters"));
        run = given.submit("bearing", "a", "b");
        List<TaskKey> courses = given.work("courses", executor).stream()
                .filter(key -> given.tasks.get(key.taskId()).rootId() == run)
                .toList();
        given.finish(executor, ok(courses.get(0), "one"));
        given.finish(executor, failed(courses.get(1), TaskResult.Outcome.PERMANENT));
        given.reconcile();
        given.work("chapters", executor)
                .forEach(key -> given.finish(executor, failed(key, TaskResult.Outcome.PERMANENT)));
        given.reconcile();
        assertThat(given.statusOf(run)).isEqualTo(PipelineRunStatus.FAILED);

        assertThat(given.runs.retry(run, null, null, "ann").tasks()).isEqualTo(2);
        given.reconcile();
        assertThat(given.statusOf(run)).isEqualTo(PipelineRunStatus.RUNNING);
        given.work("courses", executor).forEach(key -> given.finish(executor, ok(key, "one", "two")));
        given.reconcile();
        given.work("chapters", executor).forEach(key -> given.finish(executor, ok(key)));
        given.reconcile();

        assertThat(given.tasksOf(run, 1)).containsExactlyInAnyOrder("one COMPLETED", "two COMPLETED");
        assertThat(given.statusOf(run)).isEqualTo(PipelineRunStatus.COMPLETED);
        assertThat(given.journalOf(EntityKind.PIPELINE_RUN, run)).contains("FAILED->RUNNING RETRIED");
    }

    @Test
    void retriesOnlyRunsWithFailedTasks() {
        assertThatThrownBy(() -> given.runs.retry(run, null, null, "ann")).hasMessageContaining("PENDING");
        given.work("courses", executor);
        assertThatThrownBy(() -> given.runs.retry(run, "courses", null, "ann"))
                .hasMessageContaining("no such failed task");
    }

    @Test
    void appliesBackoffOfStage() {
        submitPatient();

        given.work("patient", executor).forEach(key -> given.finish(executor, failed(key)));
        given.dispatch();
        assertThat(minutesToWait()).isEqualTo(10);
        execute("update orth_message set due_at = now() where status = 'WAITING'");
        given.work("patient", executor).forEach(key -> given.finish(executor, failed(key)));
        given.dispatch();
        assertThat(minutesToWait()).isEqualTo(20);
    }

    /** A task of a stage that waits 10 minutes after a failed attempt. */
    private void submitPatient() {
        given.define(
                "slow",
                new Stage(
                        "patient",
                        "h",
                        "q.patient",
                        null,
                        3,
                        new Backoff(Duration.ofMinutes(10), 2, Duration.ofHours(1), 0),
                        null,
                        Tolerance.ALL));
        given.submit("slow", "law");
    }

    private int minutesToWait() {
        return admin.jdbc.sql("""
                        select round(extract(epoch from due_at - now()) / 60)::integer
                          from orth_message
                         where status = 'WAITING'
                           and due_at > now() + interval '1 minute'
                        """).query(Integer.class).single();
    }

    /** The report of the outcome was lost, so the attempt counts as lost. */
    @Test
    @Tag("must-kernel")
    void delaysNextAttemptAfterSuccessWithoutOutcome() {
        submitPatient();
        given.dispatch();
        ClaimedMessage message = given.receive("patient", executor, 1).get(0);

        admin.queues.report(
                "q.patient",
                executor.executorId(),
                new MessageResult(message.id(), message.logId(), Codes.SUCCESS, null, false, null, 5));
        given.dispatch();

        assertThat(given.receive("patient", executor, 10)).isEmpty();
        assertThat(admin.jdbc
                        .sql("select round(extract(epoch from next_attempt_at - now()) / 60)::integer from orth_outbox"
                                + " where sent_at is null")
                        .query(Integer.class)
                        .list())
                .containsExactly(10);
        execute("update orth_outbox set next_attempt_at = now() where sent_at is null");
        assertThat(given.work("patient", executor)).extracting(TaskKey::attempt).containsExactly(2);
    }

    @Test
    void usesDelayRequestedByHandler() {
        TaskKey key = given.work("courses", executor).get(0);
        given.finish(
                executor,
                new TaskResult(key.taskId(), 1, TaskResult.Outcome.FAILED, null, List.of(), null, 3_600_000L, 1));
        given.dispatch();

        assertThat(admin.jdbc
                        .sql("select due_at > now() + interval '50 minutes' from orth_message where status = 'WAITING'")
                        .query(Boolean.class)
                        .list())
                .containsExactly(true);
        assertThat(given.tasks.log(run, key.taskId(), "error", 0, 10)).hasSize(1);
    }

    @Test
    void deletesFinishedRunsWithTheirDataAfterRetention() {
        TaskKey key = given.work("courses", executor).get(0);
        given.content(executor, key, "ref");
        given.runs.cancel(run, "ann", null);
        given.reconcile();
        PipelineKeeper keeper = given.keeper;

        assertThat(admin.transactions.call(() -> keeper.prune(Duration.ofDays(1))))
                .isFalse();
        assertThat(admin.transactions.call(() -> keeper.prune(Duration.ofMillis(-1))))
                .isTrue();

        for (String table : List.of(
                "orth_pipeline_run",
                "orth_pipeline_task",
                "orth_pipeline_progress",
                "orth_execution_log",
                "orth_content_log",
                "orth_outbox",
                "orth_pipeline_delta")) {
            assertThat(admin.jdbc
                            .sql("select count(*) from " + table)
                            .query(Long.class)
                            .single())
                    .as(table)
                    .isZero();
        }
    }
}
