package io.orth.admin.completion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.admin.AdminFixture;
import io.orth.admin.job.AfterRun;
import io.orth.admin.job.ChildJob;
import io.orth.admin.job.ChildJob.Pass;
import io.orth.admin.job.Decision;
import io.orth.admin.job.DecisionFilter;
import io.orth.admin.job.DecisionReason;
import io.orth.admin.job.Job;
import io.orth.admin.job.JobSpec;
import io.orth.admin.job.JobSpecs;
import io.orth.admin.job.MisfirePolicy;
import io.orth.admin.job.RouteStrategy;
import io.orth.admin.job.Routing;
import io.orth.admin.job.Schedule;
import io.orth.admin.kernel.Backoff;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.RetryPolicy;
import io.orth.admin.registry.ExecutorGroup;
import io.orth.admin.registry.Target;
import io.orth.admin.run.Acceptance;
import io.orth.admin.run.CallbackIntake;
import io.orth.admin.run.NewChild;
import io.orth.admin.run.NewRun;
import io.orth.admin.run.Run;
import io.orth.admin.run.RunCause;
import io.orth.admin.run.Runs;
import io.orth.admin.run.SendIntent;
import io.orth.admin.run.TriggerType;
import io.orth.protocol.CallbackItem;
import io.orth.protocol.Codes;
import io.orth.testkit.TestDatabase;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ChildrenDbTest {

    private static final String INSTANCE = "instance";
    private static final Instant PLANNED = Instant.parse("2030-01-01T12:00:00Z");

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private AdminFixture admin;
    private CompletionFixture completion;
    private ExecutorGroup group;
    private Target executor;
    private Runs runs;
    private CallbackIntake callbacks;

    @BeforeEach
    void setUp() {
        admin = AdminFixture.onEmptied(db);
        completion = new CompletionFixture(admin, Clock.systemUTC());
        group = admin.group("group");
        executor = admin.executor(group, INSTANCE, "http://127.0.0.1:9999");
        runs = new Runs(admin.jdbc, completion.changes, admin.runIds, admin.transactions);
        callbacks = new CallbackIntake(admin.jdbc, completion.changes, admin.transactions);
    }

    @Test
    void successFiresEachChildWithItsParameter() {
        Job own = job("own");
        Job fixed = job("fixed");
        Job result = job("result");
        Job parent = job(
                "parent",
                new ChildJob(own.id(), Pass.NONE, null),
                new ChildJob(fixed.id(), Pass.FIXED, "given"),
                new ChildJob(result.id(), Pass.RESULT, null));
        Run run = pending(parent);

        report(run, Codes.SUCCESS, "42 rows");

        List<Run> children = runs.childrenOf(run.id());
        assertThat(children).extracting(Run::jobId).containsExactly(own.id(), fixed.id(), result.id());
        assertThat(children).extracting(Run::param).containsExactly("param of own", "given", "42 rows");
        assertThat(children).allSatisfy(child -> {
            assertThat(child.triggerType()).isEqualTo(TriggerType.CHILD);
            assertThat(child.scheduleTime()).isEqualTo(PLANNED);
            assertThat(child.traceId()).isEqualTo("trace");
            assertThat(child.lineage().parentRun()).isEqualTo(run.id());
            assertThat(admin.journalOf(child)).containsExactly("null->INIT CREATED");
        });
        assertThat(completion.children).isEqualTo(children);
    }

    @Test
    void firesBroadcastChildOnEachExecutorOnce() {
        admin.executor(group, "second", "http://127.0.0.1:9998");
        Job child = admin.jobs.create(
                new JobSpec(
                        "child",
                        group.id(),
                        "handler",
                        "",
                        new Schedule.None(),
                        MisfirePolicy.FIRE_ONCE,
                        JobSpecs.PLAIN,
                        new Routing(RouteStrategy.SHARDING_BROADCAST, List.of()),
                        AfterRun.NOTHING),
                true);
        Run run = pending(job("parent", plain(child)));

        report(run, Codes.SUCCESS, "done");
        report(run, Codes.SUCCESS, "done");

        assertThat(runs.childrenOf(run.id()))
                .extracting(fired -> fired.route().shard().index() + "/"
                        + fired.route().shard().total())
                .containsExactlyInAnyOrder("0/2", "1/2");
    }

    @Test
    void failureFiresNoChild() {
        Job parent = job("parent", plain(job("child")));
        Run run = pending(parent);

        report(run, Codes.FAIL, "failed");

        assertThat(runs.childrenOf(run.id())).isEmpty();
    }

    @Test
    void successfulRetryFiresChildren() {
        Job child = job("child");
        Job parent = admin.jobs.create(
                spec("parent")
                        .followedBy(new AfterRun(
                                new RetryPolicy(2, Backoff.doubling(Duration.ZERO, Duration.ofHours(1))),
                                List.of(plain(child)))),
                true);
        Run run = pending(parent);
        report(run, Codes.FAIL, "failed");

        Run retry = completion.retries.get(0);
        report(sent(retry), Codes.SUCCESS, "done");

        assertThat(runs.childrenOf(run.id())).isEmpty();
        assertThat(runs.childrenOf(retry.id())).hasSize(1);
    }

    @Test
    void lateSuccessFiresChildrenOnce() {
        Job parent = job("parent", plain(job("child")));
        Run run = pending(parent);
        admin.jdbc.sql("update orth_executor set status = 'DEAD'").update();
        runs.loseOfGoneExecutors(Duration.ZERO, 10);

        report(run, Codes.SUCCESS, "late");
        report(run, Codes.SUCCESS, "late again");

        assertThat(runs.childrenOf(run.id())).hasSize(1);
    }

    @Test
    @Tag("must-runs")
    void databaseRejectsSecondChildRun() {
        Job child = job("child");
        Run run = pending(job("parent", plain(child)));
        report(run, Codes.SUCCESS, "done");

        NewRun again = NewRun.of(child, "", TriggerType.CHILD, PLANNED, null);
        assertThat(runs.fireChildren(List.of(new NewChild(run.id(), again)), AdminFixture.CLAIM))
                .isEmpty();
        assertThat(runs.childrenOf(run.id())).hasSize(1);
    }

    @Test
    void firesChildWithOwnRunForSameFireTime() {
        Job child = job("child");
        runs.create(List.of(NewRun.of(child, "", TriggerType.SCHEDULE, PLANNED, null)), AdminFixture.CLAIM);
        Run run = pending(job("parent", plain(child)));

        report(run, Codes.SUCCESS, "done");

        assertThat(runs.childrenOf(run.id())).hasSize(1);
    }

    @Test
    void recordsSkippedFiresOfPausedAndDeletedChildren() {
        Job paused = job("paused");
        Job deleted = job("deleted");
        Job parent = job("parent", plain(paused), plain(deleted));
        admin.jobs.pause(paused.id());
        admin.jobs.delete(deleted.id());

        report(pending(parent), Codes.SUCCESS, "done");
        report(sent(unsent(parent, PLANNED.plusSeconds(1))), Codes.SUCCESS, "done");

        assertThat(decisions(paused)).singleElement().satisfies(decision -> {
            assertThat(decision.reason()).isEqualTo(DecisionReason.PAUSED_CHILD);
            assertThat(decision.fires()).isEqualTo(2);
        });
        assertThat(decisions(parent)).singleElement().satisfies(decision -> {
            assertThat(decision.reason()).isEqualTo(DecisionReason.DELETED_CHILD);
            assertThat(decision.fires()).isEqualTo(2);
        });
        assertThat(completion.children).isEmpty();
    }

    @Test
    void rejectsCycleWithItsPath() {
        Job c = job("c");
        Job b = job("b", plain(c));
        Job a = job("a", plain(b));

        assertThatThrownBy(() -> followedBy(c, plain(a)))
                .isInstanceOf(OrthException.class)
                .hasMessage(
                        "children would lead back to the job: c (%d) → a (%d) → b (%d) → c (%d)",
                        c.id(), a.id(), b.id(), c.id());
        assertThatThrownBy(() -> followedBy(c, plain(c)))
                .hasMessage("children would lead back to the job: c (%d) → c (%d)", c.id(), c.id());
        assertThat(admin.jobs.get(c.id())).isEqualTo(c);
    }

    @Test
    void acceptsDiamond() {
        Job end = job("end");
        Job left = job("left", plain(end));
        Job right = job("right", plain(end));

        Job start = job("start", plain(left), plain(right));

        assertThat(start.spec().after().children()).hasSize(2);
        assertThat(followedBy(start, plain(right)).spec().after().children()).hasSize(1);
    }

    @Test
    void rejectsOneOfTwoEditsThatFormCycle() throws Exception {
        Job a = job("a");
        Job b = job("b");
        List<Thread> editors =
                List.of(new Thread(() -> followedBy(a, plain(b))), new Thread(() -> followedBy(b, plain(a))));
        editors.forEach(editor -> editor.setUncaughtExceptionHandler((thread, failure) -> {}));

        editors.forEach(Thread::start);
        for (Thread editor : editors) {
            editor.join(30_000);
        }

        assertThat(admin.jdbc
                        .sql("select count(*) from orth_job_child")
                        .query(Integer.class)
                        .single())
                .isEqualTo(1);
    }

    @Test
    void rejectsInvalidChildren() {
        Job job = job("job");

        assertThatThrownBy(() -> job("orphan", new ChildJob(999_999, Pass.NONE, null)))
                .hasMessage("children names no job: 999999");
        assertThatThrownBy(() -> job("twice", plain(job), plain(job))).hasMessage("children must name each job once");
        assertThatThrownBy(() -> new ChildJob(1, Pass.FIXED, null)).hasMessageContaining("children.param is missing");
        assertThatThrownBy(() -> new ChildJob(1, Pass.NONE, "x")).hasMessageContaining("only for pass FIXED");
        assertThatThrownBy(() -> new ChildJob(1, Pass.FIXED, "a\0b")).hasMessageContaining("U+0000");
        assertThatThrownBy(() -> new AfterRun(
                        AfterRun.NO_RETRIES,
                        IntStream.range(0, 51)
                                .mapToObj(id -> new ChildJob(id, Pass.NONE, null))
                                .toList()))
                .hasMessageContaining("at most 50");
    }

    @Test
    void unrelatedEditMayKeepDeletedChild() {
        Job child = job("child");
        Job parent = job("parent", plain(child));
        admin.jobs.delete(child.id());

        Job renamed = admin.jobs.update(
                parent.id(), 1, spec("renamed").followedBy(parent.spec().after()), true);

        assertThat(renamed.spec().after().children()).hasSize(1);
    }

    private static ChildJob plain(Job job) {
        return new ChildJob(job.id(), Pass.NONE, null);
    }

    private JobSpec spec(String name) {
        return JobSpecs.of(
                name, group.id(), "handler", "param of " + name, new Schedule.None(), MisfirePolicy.FIRE_ONCE);
    }

    private Job job(String name, ChildJob... children) {
        return admin.jobs.create(spec(name).followedBy(new AfterRun(AfterRun.NO_RETRIES, List.of(children))), true);
    }

    private Job followedBy(Job job, ChildJob... children) {
        return admin.jobs.update(
                job.id(),
                job.version(),
                job.spec().followedBy(new AfterRun(AfterRun.NO_RETRIES, List.of(children))),
                true);
    }

    private Run unsent(Job job, Instant planned) {
        return runs.create(List.of(NewRun.of(job, "p", TriggerType.SCHEDULE, planned, "trace")), AdminFixture.CLAIM)
                .get(0);
    }

    private Run pending(Job job) {
        return sent(unsent(job, PLANNED));
    }

    private Run sent(Run run) {
        runs.intend(
                List.of(new SendIntent(run.id(), run.dispatch(), executor.executorId(), executor.address())),
                AdminFixture.CLAIM);
        runs.accept(List.of(Acceptance.of(runs.get(run.id()), "accepted")), RunCause.ACCEPTED);
        return runs.get(run.id());
    }

    private void report(Run run, int code, String message) {
        callbacks.take(group.id(), List.of(new CallbackItem(run.id(), 0, code, message, INSTANCE)));
    }

    private List<Decision> decisions(Job job) {
        return admin.ledger.list(new DecisionFilter(job.id(), null, null, null, Long.MAX_VALUE, 10)).stream()
                .filter(decision -> decision.reason() != DecisionReason.PAUSED)
                .toList();
    }
}
