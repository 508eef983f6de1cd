package io.orth.admin.pipeline;

import static io.orth.admin.pipeline.PipelineFixture.failed;
import static io.orth.admin.pipeline.PipelineFixture.ok;
import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.AdminFixture;
import io.orth.admin.alarm.AlarmStatus;
import io.orth.admin.registry.ExecutorGroup;
import io.orth.admin.registry.Target;
import io.orth.testkit.TestDatabase;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("must-first")
class FailedRunReportsDbTest {

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
        given.define("books", "courses");
    }

    @Test
    void aFailedRunIsReportedOnceWithPipelineRunAndTasks() {
        given.alarms.channel("ops", (String) null);
        long run = given.submit("books", "art", "math");

        fail("math");
        given.reconcile();
        given.reconcile();

        assertThat(given.alarms.send()).containsExactly("""
                ops: [test] 1 failed: books
                pipeline books · run %1$d · FAILED
                  stage courses: 1 of 2 tasks failed: course math (it did not work)
                  https://orth.example/pipeline-runs/%1$d""".formatted(run));
        given.alarms.endWindows();
        assertThat(given.alarms.send()).isEmpty();
        assertThat(given.alarms.alarms.list(Long.MAX_VALUE, 10)).singleElement().satisfies(alarm -> {
            assertThat(alarm.status()).isEqualTo(AlarmStatus.SENT);
            assertThat(alarm.pipelineRunCount()).isEqualTo(1);
            assertThat(alarm.samplePipelineRunId()).isEqualTo(run);
            assertThat(alarm.runs()).isZero();
        });
        assertThat(admin.systemLog.lines())
                .filteredOn(line -> line.startsWith("ERROR") && line.contains("pipeline run " + run))
                .singleElement()
                .asString()
                .contains("books")
                .contains("course math (it did not work)");
    }

    @Test
    void failuresWithinTheWindowAreCollected() {
        given.alarms.channel("ops", "{{count}} failed: {{run}} {{status}} {{job}}");
        long first = failing(1);
        given.alarms.send();
        long second = failing(1);
        failing(1);

        assertThat(given.alarms.send()).isEmpty();
        given.alarms.endWindows();

        assertThat(first).isLessThan(second);
        assertThat(given.alarms.send()).containsExactly("ops: 2 failed: %d FAILED books".formatted(second));
    }

    @Test
    void manyFailedTasksAreCounted() {
        given.alarms.channel("ops", "{{message}}");

        failing(8);

        assertThat(given.alarms.send())
                .singleElement()
                .asString()
                .contains("8 of 8 tasks failed")
                .endsWith("and 3 more");
    }

    @Test
    void notifiesOnlyChannelsOfStageGroup() {
        given.alarms.channel("theirs", group.id());
        given.alarms.channel("others", admin.group("others").id());

        given.submit("books", "art");
        given.work("courses", executor).forEach(key -> given.finish(executor, ok(key)));
        admin.jdbc
                .sql("update orth_queue set group_id = :group where name = 'q.courses'")
                .param("group", group.id())
                .update();

        failing(1);

        assertThat(given.alarms.send()).containsExactly("theirs: books failed");
    }

    @Test
    void reportsNoCancelledCompletedOrDryRun() {
        given.alarms.channel("ops");
        long cancelled = given.submit("books", "math");
        given.work("courses", executor);
        given.runs.cancel(cancelled, "ann", "not needed");
        given.reconcile();
        long completed = given.submit("books", "math");
        given.work("courses", executor).forEach(key -> given.finish(executor, ok(key)));
        given.reconcile();
        long failing = given.submit("books", "math");
        fail("math");
        given.reconciler.reconcile(failing, true);

        assertThat(given.statusOf(cancelled)).isEqualTo(PipelineRunStatus.CANCELLED);
        assertThat(given.statusOf(completed)).isEqualTo(PipelineRunStatus.COMPLETED);
        assertThat(given.statusOf(failing)).isEqualTo(PipelineRunStatus.RUNNING);
        assertThat(given.alarms.send()).isEmpty();
        assertThat(admin.systemLog.lines()).noneMatch(line -> line.startsWith("ERROR"));
    }

    private long failing(int tasks) {
        long run = given.submit(
                "books", IntStream.range(0, tasks).mapToObj(n -> "math" + n).toArray(String[]::new));
        fail("math");
        given.reconcile();
        return run;
    }

    private void fail(String targets) {
        given.work("courses", executor).forEach(key -> {
            boolean fails = admin.jdbc
                    .sql("select starts_with(target_id, :targets) from orth_pipeline_task where id = :id")
                    .param("targets", targets)
                    .param("id", key.taskId())
                    .query(Boolean.class)
                    .single();
            given.finish(executor, fails ? failed(key, TaskResult.Outcome.PERMANENT) : ok(key));
        });
    }
}
