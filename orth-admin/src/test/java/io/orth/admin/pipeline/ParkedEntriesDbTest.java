package io.orth.admin.pipeline;

import static io.orth.admin.pipeline.PipelineFixture.ok;
import static io.orth.admin.pipeline.PipelineFixture.stage;
import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.AdminFixture;
import io.orth.admin.kernel.EntityKind;
import io.orth.admin.registry.Target;
import io.orth.testkit.TestDatabase;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tasks that cannot be sent fail, so that their run finishes; retrying the run or redriving the entry sends them again. */
@Tag("must-kernel")
class ParkedEntriesDbTest {

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private AdminFixture admin;
    private PipelineFixture given;
    private Target executor;

    @BeforeEach
    void setUp() {
        admin = AdminFixture.onEmptied(db);
        given = admin.pipelines;
        executor = admin.executor(admin.group("workers"), "one", "http://127.0.0.1:9999");
        given.define("books", "courses");
    }

    @Test
    void failsTaskThatCannotBeSentAndFinishesRun() {
        long run = given.submit("books", "math");

        park(run);
        given.reconcile();

        PipelineTask task = taskOf(run);
        assertThat(task.status()).isEqualTo(PipelineTaskStatus.FAILED);
        assertThat(task.error()).contains("NOT_SENT", "queue must be");
        assertThat(given.journalOf(EntityKind.PIPELINE_TASK, task.id())).endsWith("RUNNING->FAILED EXHAUSTED");
        assertThat(given.statusOf(run)).isEqualTo(PipelineRunStatus.FAILED);
        assertThat(parked()).hasSize(1);
    }

    @Test
    void retryOfFailedRunSendsTaskAgain() {
        long run = given.submit("books", "math");
        park(run);
        given.reconcile();

        given.runs.retry(run, null, null, "ann");
        given.reconcile();

        assertThat(parked()).isEmpty();
        completes(run);
    }

    @Test
    void redriveReopensRunAndSendsTask() {
        long run = given.submit("books", "math");
        park(run);
        given.reconcile();

        assertThat(given.outbox.redrive(idsOf(parked()), "ann")).isEqualTo(1);

        assertThat(given.statusOf(run)).isEqualTo(PipelineRunStatus.RUNNING);
        assertThat(parked()).isEmpty();
        given.reconcile();
        assertThat(taskOf(run).maxAttempts() - taskOf(run).attempts()).isEqualTo(3);
        completes(run);
    }

    @Test
    void redriveRetriesOnlyTasksThatWereNotSent() {
        long run = given.submit("books", "math", "art");
        park(run, "math");
        given.work("courses", executor)
                .forEach(key -> given.finish(executor, PipelineFixture.failed(key, TaskResult.Outcome.PERMANENT)));
        given.reconcile();

        assertThat(given.outbox.redrive(null, "ann")).isEqualTo(1);
        given.reconcile();

        assertThat(given.tasksOf(run, 0)).containsExactlyInAnyOrder("math PENDING", "art FAILED");
    }

    @Test
    void doesNotRedriveEntryOfRetriedTask() {
        long run = given.submit("books", "math");
        park(run);
        List<Long> entry = idsOf(parked());
        given.reconcile();
        given.runs.retry(run, null, null, "ann");
        given.reconcile();

        assertThat(given.outbox.redrive(entry, "ann")).isZero();
        given.dispatch();

        assertThat(given.receive("courses", executor, 10)).hasSize(1);
    }

    @Test
    void keepsNoParkedEntryOfFinishedRun() {
        given.define("novels", stage("courses", new Tolerance("ALWAYS")));
        long borne = given.submit("novels", "math");
        long cancelled = given.submit("books", "math", "art");
        park(borne);
        park(cancelled, "math");
        given.runs.cancel(cancelled, "ann", null);

        given.reconcile();

        assertThat(given.statusOf(borne)).isEqualTo(PipelineRunStatus.COMPLETED);
        assertThat(given.statusOf(cancelled)).isEqualTo(PipelineRunStatus.CANCELLED);
        assertThat(parked()).isEmpty();
    }

    /** The state left by an admin that parked an entry without failing its task. */
    @Test
    void replacesParkedEntryOfPendingTask() {
        long run = given.submit("books", "math");
        admin.jdbc.sql("update orth_outbox set parked_at = now()").update();
        admin.jdbc
                .sql("update orth_pipeline_task set status_at = now() - interval '1 hour'")
                .update();

        given.reconciler.reconcile(run, false);

        assertThat(given.repairs(Repair.ORPHAN_MESSAGE)).isEqualTo(1);
        assertThat(parked()).isEmpty();
        completes(run);
    }

    private void completes(long run) {
        given.work("courses", executor).forEach(key -> given.finish(executor, ok(key)));
        given.reconcile();
        assertThat(given.statusOf(run)).isEqualTo(PipelineRunStatus.COMPLETED);
    }

    private void park(long run) {
        park(run, "%");
    }

    /** Dispatches until all attempts have failed. */
    private void park(long run, String target) {
        admin.jdbc
                .sql("update orth_outbox o set destination = 'no such/queue' from orth_pipeline_task t"
                        + " where t.id = o.job_id and t.root_id = :run and t.target_id like :target")
                .param("run", run)
                .param("target", target)
                .update();
        for (int i = 0; i < PipelineFixture.PROPERTIES.outbox().maxAttempts(); i++) {
            admin.jdbc
                    .sql("update orth_outbox set next_attempt_at = now() - interval '1 second' where sent_at is null")
                    .update();
            given.dispatch();
        }
    }

    private PipelineTask taskOf(long run) {
        return given.tasks
                .list(new PipelineTasks.Filter(run, 0, null, null, null, null, 0, 1))
                .get(0);
    }

    private List<OutboxEntry> parked() {
        return given.outbox.list(true, 0, 10);
    }

    private static List<Long> idsOf(List<OutboxEntry> entries) {
        return entries.stream().map(OutboxEntry::id).toList();
    }
}
