package io.orth.admin.triggering;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.AdminFixture;
import io.orth.admin.registry.ExecutorGroup;
import io.orth.admin.registry.Target;
import io.orth.admin.run.Run;
import io.orth.admin.run.RunStatus;
import io.orth.admin.triggering.FakeXxlExecutor.Generation;
import io.orth.admin.triggering.RunKiller.End;
import io.orth.admin.triggering.RunKiller.Outcome;
import io.orth.protocol.CallbackItem;
import io.orth.testkit.TestDatabase;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Kills runs on executors that can only kill whole jobs. */
@Tag("must-runs")
class ForeignKillerDbTest {

    private static final Duration GRACE = Duration.ofSeconds(40);

    /** The job id of {@link AdminFixture#newRun}. */
    private static final int JOB = 1;

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private FakeXxlExecutor executor = new FakeXxlExecutor(Generation.W2);
    private AdminFixture admin;
    private ExecutorGroup group;
    private Target target;
    private RunKiller killer;

    @BeforeEach
    void setUp() {
        admin = AdminFixture.onEmptied(db);
        group = admin.group("group");
        target = admin.foreignExecutor(group, executor.address());
        TriggersFixture triggers = new TriggersFixture(admin);
        killer = new RunKiller(
                admin.runs,
                admin.kills,
                admin.callbacks,
                admin.executors,
                triggers.gateway,
                new ForeignKiller(admin.kills, triggers.foreign, GRACE),
                Runnable::run,
                Duration.ofSeconds(5));
    }

    @AfterEach
    void tearDown() {
        executor.close();
    }

    @Test
    void killsWholeJobAndReportsIt() throws Exception {
        Run run = admin.pendingRun(group, target);
        executor.busy(JOB);

        Outcome outcome = kill(run);

        assertThat(executor.callsOf("/kill")).containsExactly("/kill {\"jobId\":1}");
        assertThat(outcome.end()).isEqualTo(End.ENDING);
        assertThat(outcome.message())
                .isEqualTo(
                        "%s, an XXL-JOB executor, can only end a whole job: it was told to end every run of job 1 there"
                                .formatted(executor.address()));
    }

    @Test
    void resultAfterKillCountsAsKilled() throws Exception {
        Run run = admin.pendingRun(group, target);
        executor.busy(JOB);
        kill(run);

        admin.callbacks.take(
                group.id(),
                List.of(new CallbackItem(run.id(), 0, 500, "scheduling center kill job. [job running, killed]", null)));

        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.FAILED);
        assertThat(admin.journalOf(run)).endsWith("PENDING->FAILED KILLED");
        assertThat(admin.runs.get(run.id()).handleMsg()).startsWith("killed by ann: wrong day");
    }

    @Test
    @Tag("must-first")
    void successAfterKillCountsAsKilled() throws Exception {
        Run run = admin.pendingRun(group, target);
        executor.busy(JOB);
        kill(run);

        succeed(run);

        assertThat(admin.journalOf(run)).endsWith("PENDING->FAILED KILLED");
        assertThat(admin.runs.get(run.id()).handleCode()).isEqualTo(500);
        assertThat(admin.runs.get(run.id()).handleMsg())
                .isEqualTo("killed by ann: wrong day; afterwards its executor reported success: job is killed");
    }

    @Test
    @Tag("must-first")
    void successBeforeKillResponseCountsAsKilled() throws Exception {
        Run run = admin.pendingRun(group, target);
        executor.busy(JOB);
        executor.beforeAnswer(() -> succeed(run));

        kill(run);

        assertThat(admin.journalOf(run)).endsWith("PENDING->FAILED KILLED");
    }

    @Test
    @Tag("must-first")
    void successCountsAsKilledIfRepeatedKillFindsNoJob() throws Exception {
        Run run = admin.pendingRun(group, target);
        executor.busy(JOB);
        executor.goMute();
        kill(run);
        executor.speak();
        assertThat(kill(run).message()).contains("does not run job 1");

        succeed(run);

        assertThat(executor.callsOf("/kill")).hasSize(2);
        assertThat(admin.journalOf(run)).endsWith("PENDING->FAILED KILLED");
    }

    @Test
    @Tag("must-first")
    void successCountsAsKilledIfRepeatedKillIsRejected() throws Exception {
        Run run = admin.pendingRun(group, target);
        executor.busy(JOB);
        executor.goMute();
        kill(run);
        executor.answerWithStatus(404);
        kill(run);

        succeed(run);

        assertThat(executor.callsOf("/kill")).hasSize(2);
        assertThat(admin.journalOf(run)).endsWith("PENDING->FAILED KILLED");
    }

    @Test
    void successStandsIfKillDidNotReachExecutor() throws Exception {
        Run run = admin.pendingRun(group, target);
        executor.close();
        kill(run);

        succeed(run);

        assertThat(admin.journalOf(run)).endsWith("PENDING->SUCCESS CALLBACK");
    }

    @Test
    void successStandsIfExecutorRejectedKill() throws Exception {
        Run run = admin.pendingRun(group, target);
        executor.answerWithStatus(404);
        kill(run);

        succeed(run);

        assertThat(admin.journalOf(run)).endsWith("PENDING->SUCCESS CALLBACK");
    }

    @Test
    void sendsKillOnceToSpareLaterRuns() throws Exception {
        Run run = admin.pendingRun(group, target);
        executor.busy(JOB);
        kill(run);
        executor.busy(JOB);

        kill(run);
        makeDue();
        killer.run();

        assertThat(executor.callsOf("/kill")).hasSize(1);
        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.PENDING);
    }

    @Test
    void sendsOneKillForTwoRunsOfJob() throws Exception {
        List<Long> runs = List.of(
                admin.pendingRun(group, target).id(),
                admin.pendingRun(group, target).id());
        executor.busy(JOB);

        List<Outcome> outcomes = killer.kill(runs, "ann", "");

        assertThat(outcomes).hasSize(2);
        assertThat(executor.callsOf("/kill")).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void finishesUnknownRunAfterGracePeriod(Generation generation) throws Exception {
        executor.close();
        executor = new FakeXxlExecutor(generation);
        Run run = admin.pendingRun(group, admin.foreignExecutor(group, executor.address()));

        Outcome outcome = kill(run);
        makeDue();
        killer.run();
        assertThat(outcome.message()).contains("does not run job 1", "within 40 s");
        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.PENDING);

        killSent(GRACE.plusSeconds(1));
        makeDue();
        killer.run();

        assertThat(admin.journalOf(run)).endsWith("PENDING->FAILED KILLED");
        assertThat(executor.callsOf("/kill")).hasSize(1);
    }

    @Test
    void keepsSuccessThatWasOnItsWay() throws Exception {
        Run run = admin.pendingRun(group, target);
        kill(run);

        admin.callbacks.take(group.id(), List.of(new CallbackItem(run.id(), 0, 200, "done", null)));
        killSent(GRACE.plusSeconds(1));
        makeDue();
        killer.run();

        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.SUCCESS);
    }

    @Test
    void killsRunAfterItArrived() throws Exception {
        Run run = admin.intendedRun(group, target);
        executor.busy(JOB);

        Outcome outcome = kill(run);
        assertThat(outcome.message()).contains("is on its way to");
        assertThat(executor.calls()).isEmpty();

        admin.expireClaims();
        makeDue();
        killer.run();
        makeDue();
        killer.run();

        assertThat(executor.callsOf("/kill")).hasSize(1);
    }

    @Test
    void retriesKillOfUnreachableExecutor() throws Exception {
        Run run = admin.pendingRun(group, target);
        executor.close();

        assertThat(kill(run).message()).startsWith("the executor cannot be told now and will be told again");

        assertThat(admin.kills.told(List.of(run.id()))).isEmpty();
    }

    @Test
    void finishesRunOfDeadExecutor() throws Exception {
        Run run = admin.pendingRun(group, target);
        executor.close();
        admin.jdbc.sql("update orth_executor set status = 'DEAD'").update();

        assertThat(kill(run).end()).isEqualTo(End.ENDED);

        assertThat(admin.journalOf(run)).endsWith("PENDING->FAILED KILLED");
        assertThat(admin.runs.get(run.id()).handleMsg()).contains("is gone");
    }

    @Test
    void reportsRejectionOfKill() throws Exception {
        try (RawExecutor odd = new RawExecutor(200, "{\"code\":500,\"msg\":\"The access token is wrong.\"}")) {
            Run run = admin.pendingRun(group, admin.foreignExecutor(group, odd.address()));

            assertThat(kill(run).message()).contains("The access token is wrong.");
        }
    }

    private void succeed(Run run) {
        admin.callbacks.take(group.id(), List.of(new CallbackItem(run.id(), 0, 200, "job is killed", null)));
    }

    private Outcome kill(Run run) throws InterruptedException {
        return killer.kill(List.of(run.id()), "ann", "wrong day").get(0);
    }

    /** Makes all pending kill retries due. */
    private void makeDue() {
        admin.jdbc
                .sql("update orth_run set kill_next_at = now() - interval '1 second' where kill_next_at < 'infinity'")
                .update();
    }

    private void killSent(Duration ago) {
        admin.jdbc
                .sql("update orth_run set kill_told_at = now() - make_interval(secs => :secs)")
                .param("secs", ago.toSeconds())
                .update();
    }
}
