package io.orth.admin.pipeline;

import static io.orth.admin.pipeline.PipelineFixture.failed;
import static io.orth.admin.pipeline.PipelineFixture.ok;
import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.AdminFixture;
import io.orth.admin.registry.Target;
import io.orth.testkit.TestDatabase;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("must-first")
class PipelineProgressDbTest {

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
    void countsTasksInsteadOfStages() {
        long run = given.submit("books", "math");
        finish("courses", targets(9));
        given.reconcile();

        assertThat(facts(run)).isEqualTo("1 of 10, 10 %");
        given.finish(executor, ok(given.work("chapters", executor).get(0)));
        given.reconcile();

        assertThat(facts(run)).isEqualTo("2 of 10, 20 %");
    }

    @Test
    void countsCreatedTasksDuringFanOut() {
        long run = given.submit("books", "math");
        assertThat(facts(run)).isEqualTo("0 of 1, 0 %, fanning out");
        finish("courses", targets(RootPass.CHUNK + 500));
        given.pass(run, null);
        given.pass(run, null);
        given.finish(executor, ok(given.work("chapters", executor).get(0)));

        PipelineRun fanningOut = given.runs.get(run);
        assertThat(fanningOut.progress().get(1).expected()).isNull();
        assertThat(fanningOut.progress().get(1).created()).isEqualTo(RootPass.CHUNK);
        assertThat(facts(run)).isEqualTo("2 of 1001, 0 %, fanning out");
        given.reconcile();

        assertThat(facts(run)).isEqualTo("2 of 1501, 0 %");
    }

    @Test
    void cancelledRunKeepsItsProgress() {
        long run = given.submit("books", "math", "art", "law", "music");
        TaskKey done = given.work("courses", executor).get(0);
        given.finish(executor, ok(done));

        given.runs.cancel(run, "ann", "enough");
        given.reconcile();

        assertThat(given.statusOf(run)).isEqualTo(PipelineRunStatus.CANCELLED);
        assertThat(facts(run)).isEqualTo("1 of 4, 25 %");
    }

    @Test
    void onlyCompletedRunReachesOneHundredPercent() {
        long failing = given.submit("books", "math");
        given.work("courses", executor)
                .forEach(key -> given.finish(executor, failed(key, TaskResult.Outcome.PERMANENT)));
        given.reconcile();
        long completing = given.submit("books", "math");
        finish("courses");
        given.reconcile();

        assertThat(facts(failing)).isEqualTo("1 of 1, 99 %");
        assertThat(given.statusOf(completing)).isEqualTo(PipelineRunStatus.COMPLETED);
        assertThat(facts(completing)).isEqualTo("1 of 1, 100 %");
    }

    @Test
    void estimatesTasksNotYetCreated() {
        long first = given.submit("books", "math");
        finish("courses", targets(9));
        given.reconcile();
        finish("chapters");
        given.reconcile();
        assertThat(given.statusOf(first)).isEqualTo(PipelineRunStatus.COMPLETED);

        long second = given.submit("books", "math");
        finish("courses", targets(4));

        assertThat(given.runs.get(second).estimate()).isEqualTo(10);
        assertThat(facts(second)).isEqualTo("1 of 1, 10 %, fanning out");
    }

    @Test
    void auditCorrectsNumberOfCreatedTasks() {
        long run = given.submit("books", "math");
        finish("courses", targets(9));
        given.reconcile();
        admin.jdbc
                .sql("update orth_pipeline_progress set created = 77, completed = 5 where stage = 1")
                .update();

        given.reconciler.reconcile(run, false);

        assertThat(given.runs.get(run).progress()).extracting(Progress::created).containsExactly(1L, 9L);
    }

    private void finish(String stage, String... children) {
        List<TaskKey> tasks = given.work(stage, executor);
        assertThat(tasks).isNotEmpty();
        tasks.forEach(key -> given.finish(executor, ok(key, children)));
    }

    private static String[] targets(int count) {
        return IntStream.range(0, count).mapToObj(n -> "target" + n).toArray(String[]::new);
    }

    private String facts(long id) {
        PipelineRun run = given.runs.get(id);
        String facts = "%d of %d, %d %%".formatted(run.finishedTasks(), run.totalTasks(), run.percent());
        return run.isFanningOut() ? facts + ", fanning out" : facts;
    }
}
