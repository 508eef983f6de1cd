package io.orth.admin.pipeline;

import static io.orth.admin.pipeline.PipelineFixture.failed;
import static io.orth.admin.pipeline.PipelineFixture.ok;
import static io.orth.admin.pipeline.PipelineFixture.submission;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.admin.AdminFixture;
import io.orth.admin.kernel.EntityKind;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.queue.QueueDriver;
import io.orth.admin.registry.Target;
import io.orth.protocol.ClaimedMessage;
import io.orth.protocol.ClaimedTask;
import io.orth.protocol.Codes;
import io.orth.protocol.MessageResult;
import io.orth.protocol.TaskVerdict;
import io.orth.testkit.TestDatabase;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A run from its submission to its end. */
@Tag("must-pipelines")
class PipelineRunsDbTest {

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
        given.define("books", "courses", "chapters");
    }

    @Test
    void runsAllStagesAndCompletes() {
        long run = given.submit("books", "math", "art");
        assertThat(given.statusOf(run)).isEqualTo(PipelineRunStatus.PENDING);

        List<TaskKey> courses = given.work("courses", executor);
        assertThat(given.statusOf(run)).isEqualTo(PipelineRunStatus.RUNNING);
        assertThat(courses).hasSize(2);
        given.finish(executor, ok(courses.get(0), "one", "two"));
        given.reconcile();
        assertThat(given.tasksOf(run, 1)).isEmpty();
        given.finish(executor, ok(courses.get(1), "two", "three"));
        given.reconcile();

        assertThat(given.tasksOf(run, 1)).containsExactlyInAnyOrder("one PENDING", "two PENDING", "three PENDING");
        given.work("chapters", executor).forEach(key -> given.finish(executor, ok(key)));
        given.reconcile();

        assertThat(given.statusOf(run)).isEqualTo(PipelineRunStatus.COMPLETED);
        assertThat(given.runs.get(run).percent()).isEqualTo(100);
        assertThat(given.journalOf(EntityKind.PIPELINE_RUN, run))
                .containsExactly("null->PENDING SUBMITTED", "PENDING->RUNNING BEGUN", "RUNNING->COMPLETED COMPLETED");
        assertThat(given.journalOf(EntityKind.PIPELINE_TASK, courses.get(0).taskId()))
                .containsExactly(
                        "null->PENDING CREATED",
                        "PENDING->CLAIMED CLAIMED",
                        "CLAIMED->RUNNING BEGUN",
                        "RUNNING->COMPLETED COMPLETED");
    }

    @Test
    void claimedTaskHasItsTargetAndTrace() {
        long run = given.submit("books", "math");
        given.dispatch();
        ClaimedMessage message = given.receive("courses", executor, 1).get(0);

        ClaimedTask task = message.task();

        assertThat(task.rootJobId()).isEqualTo(run);
        assertThat(task.targetType()).isEqualTo("course");
        assertThat(task.targetId()).isEqualTo("math");
        assertThat(task.meta()).containsEntry("language", "en");
        assertThat(task.handler()).isEqualTo("coursesHandler");
        assertThat(task.traceId()).isEqualTo("0af7651916cd43dd8448eb211c80319c");
        assertThat(message.traceId()).isEqualTo("0af7651916cd43dd8448eb211c80319c");
        assertThat(message.metadata().get("traceparent")).startsWith("00-0af7651916cd43dd8448eb211c80319c-");
        assertThat(message.metadata()).containsEntry("orth.task", Long.toString(task.taskId()));
    }

    @Test
    void completesWhenStageHasNoTasks() {
        long run = given.submit("books", "math");
        given.work("courses", executor).forEach(key -> given.finish(executor, ok(key)));

        given.reconcile();

        assertThat(given.statusOf(run)).isEqualTo(PipelineRunStatus.COMPLETED);
        assertThat(given.runs.get(run).progress().get(1).expected()).isZero();
    }

    @Test
    void createsOneRunPerIdempotencyKey() {
        PipelineRuns.Submitted first = given.runs.submit(submission("books", "key", "math"));
        PipelineRuns.Submitted second = given.runs.submit(submission("books", "key", "math"));

        assertThat(second.run().id()).isEqualTo(first.run().id());
        assertThat(second.duplicate()).isTrue();
        assertThat(given.tasksOf(first.run().id(), 0)).hasSize(1);
        assertThatThrownBy(() -> given.runs.submit(new Submission(
                        "books", "{\"other\":1}", "{}", java.util.Map.of(), List.of(), "key", "ann", "t")))
                .isInstanceOf(OrthException.class)
                .hasMessageContaining("Idempotency-Key");
    }

    @Test
    void estimatesTasksFromLastRun() {
        assertThat(given.runs.estimate(submission("books", null, "math"))).isEmpty();
        given.submit("books", "math");
        given.work("courses", executor).forEach(key -> given.finish(executor, ok(key, "a", "b", "c")));
        given.reconcile();
        given.work("chapters", executor).forEach(key -> given.finish(executor, ok(key)));
        given.reconcile();

        assertThat(given.runs.estimate(submission("books", null, "x", "y"))).contains(8L);
    }

    @Test
    void recordsContentOncePerTaskAndReference() {
        long run = given.submit("books", "math");
        TaskKey key = given.work("courses", executor).get(0);

        assertThat(given.content(executor, key, "chapter/1")).isEqualTo(TaskVerdict.RECORDED);
        assertThat(given.content(executor, key, "chapter/1")).isEqualTo(TaskVerdict.KNOWN);
        assertThat(given.tasks.content(run, null, null, 0, 10))
                .extracting(PipelineTasks.Content::status)
                .containsExactly("stored");
        given.finish(executor, ok(key));

        assertThat(given.tasks.content(run, null, null, 0, 10))
                .extracting(PipelineTasks.Content::contentRef, PipelineTasks.Content::status)
                .containsExactly(org.assertj.core.api.Assertions.tuple("chapter/1", "ready"));
    }

    @Test
    void invalidResultFailsOnlyItsTask() {
        long run = given.submit("books", "math", "art");
        List<TaskKey> keys = given.work("courses", executor);
        TaskResult bad = TaskResult.ok(keys.get(0).taskId(), 1, "{\"half\":\"\\ud800\"}", List.of(), 1);

        assertThat(given.finish(executor, bad, ok(keys.get(1)))).isEqualTo(TaskVerdict.RECORDED);

        assertThat(given.tasksOf(run, 0)).contains("math FAILED", "art COMPLETED");
        assertThat(given.tasks.get(keys.get(0).taskId()).error()).contains("BAD_RESULT");
    }

    @Test
    @Tag("must-kernel")
    void repeatedClaimReturnsSameTask() {
        given.submit("books", "math");
        given.dispatch();
        QueueDriver.Claim claim = new QueueDriver.Claim(executor.executorId(), 0, "claim", 1, 0, 5, 0);
        List<ClaimedMessage> lost =
                admin.queues.driver.work("q.courses", List.of(), claim).messages();

        List<ClaimedMessage> again =
                admin.queues.driver.work("q.courses", List.of(), claim).messages();

        assertThat(again).isEqualTo(lost);
        assertThat(again.get(0).task().attempt()).isEqualTo(1);
        assertThat(given.tasks.get(again.get(0).task().taskId()).attempts()).isEqualTo(1);
    }

    @Test
    @Tag("must-kernel")
    void skipsMessageWhoseAttemptIsNotNext() {
        given.submit("books", "math");
        given.dispatch();
        admin.jdbc.sql("update orth_pipeline_task set attempts = 1").update();

        assertThat(given.receive("courses", executor, 5)).isEmpty();

        assertThat(admin.jdbc
                        .sql("select result from orth_message_history")
                        .query(String.class)
                        .list())
                .containsExactly("skipped: stale");
    }

    @Test
    @Tag("must-kernel")
    void skipsMessageFromQueueOfNoStage() {
        given.submit("books", "math");
        given.dispatch();
        admin.queues.queues.open("elsewhere");
        admin.jdbc
                .sql("update orth_message set queue_id = (select id from orth_queue where name = 'elsewhere')")
                .update();

        assertThat(admin.queues.claim("elsewhere", executor.executorId(), 5)).isEmpty();

        assertThat(given.tasks.unchanged(5)).extracting(PipelineTask::status).containsOnly(PipelineTaskStatus.PENDING);
    }

    @Test
    @Tag("must-kernel")
    void repeatsAttemptWhoseReportWasLost() {
        long run = given.submit("books", "math");
        given.dispatch();
        ClaimedMessage message = given.receive("courses", executor, 1).get(0);

        admin.queues.report(
                "q.courses",
                executor.executorId(),
                new MessageResult(message.id(), message.logId(), Codes.SUCCESS, null, false, null, 0));

        assertThat(given.tasksOf(run, 0)).containsExactly("math PENDING");
        assertThat(given.work("courses", executor)).extracting(TaskKey::attempt).containsExactly(2);
    }

    @Test
    @Tag("must-kernel")
    void failsTaskAfterLastAttemptOfItsMessage() {
        long run = given.submit("books", "math");
        for (int attempt = 1; attempt <= 3; attempt++) {
            TaskKey key = given.work("courses", executor).get(0);
            assertThat(key.attempt()).isEqualTo(attempt);
            given.finish(executor, failed(key));
        }

        assertThat(given.tasksOf(run, 0)).containsExactly("math FAILED");
        assertThat(admin.jdbc
                        .sql("select count(*) from orth_dead_letter")
                        .query(Long.class)
                        .single())
                .isZero();
        assertThat(admin.jdbc
                        .sql("select count(*) from orth_outbox")
                        .query(Long.class)
                        .single())
                .isEqualTo(1);
    }
}
