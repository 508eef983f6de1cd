package io.orth.admin.triggering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.admin.AdminFixture;
import io.orth.admin.registry.ExecutorGroup;
import io.orth.admin.registry.Target;
import io.orth.admin.run.Run;
import io.orth.admin.run.RunCause;
import io.orth.admin.run.RunStatus;
import io.orth.admin.triggering.RunKiller.End;
import io.orth.admin.triggering.RunKiller.Outcome;
import io.orth.protocol.CallbackItem;
import io.orth.runtime.Duty.Pass;
import io.orth.testkit.FakeExecutor;
import io.orth.testkit.TestDatabase;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RunKillerDbTest {

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private final FakeExecutor executor = new FakeExecutor("instance");
    private AdminFixture admin;
    private ExecutorGroup group;
    private Target target;
    private TriggersFixture triggers;
    private RunKiller killer;

    @BeforeEach
    void setUp() {
        admin = AdminFixture.onEmptied(db);
        group = admin.group("group");
        target = admin.executor(group, "instance", executor.address());
        triggers = new TriggersFixture(admin);
        killer = new RunKiller(
                admin.runs,
                admin.kills,
                admin.callbacks,
                admin.executors,
                triggers.gateway,
                new ForeignKiller(admin.kills, triggers.foreign, Duration.ofSeconds(40)),
                Runnable::run,
                Duration.ofSeconds(5));
    }

    @AfterEach
    void tearDown() {
        executor.close();
    }

    @Test
    void killsUnsentRunWithoutSendingIt() throws Exception {
        Run run = admin.unsentRun(group);
        triggers.dispatcher.submit(List.of(run));

        Outcome outcome = kill(run, "alice", "wrong day");
        triggers.sendAll();

        assertThat(outcome.end()).isEqualTo(End.ENDED);
        assertThat(executor.received()).isEmpty();
        assertThat(executor.kills()).isEmpty();
        Run ended = admin.runs.get(run.id());
        assertThat(ended.status()).isEqualTo(RunStatus.TRIGGER_FAILED);
        assertThat(ended.cause()).isEqualTo(RunCause.KILLED);
        assertThat(ended.triggerMsg()).isEqualTo("killed by alice: wrong day; before it was sent");
        assertThat(admin.journalOf(run)).endsWith("INIT->TRIGGER_FAILED KILLED");
    }

    @Test
    void runningRunEndsWithResultOfItsExecutor() throws Exception {
        Run run = sentRun();

        Outcome outcome = kill(run, "alice", "");
        assertThat(outcome.end()).isEqualTo(End.ENDING);
        assertThat(outcome.status()).isEqualTo(RunStatus.PENDING);
        assertThat(outcome.message()).isEqualTo(executor.address() + " is ending it");
        assertThat(executor.kills()).singleElement().satisfies(kill -> {
            assertThat(kill.logIds()).containsExactly(run.id());
            assertThat(kill.reason()).isEqualTo("killed by alice");
        });

        report(run, 500, "interrupted");

        Run ended = admin.runs.get(run.id());
        assertThat(ended.status()).isEqualTo(RunStatus.FAILED);
        assertThat(ended.handleCode()).isEqualTo(500);
        assertThat(ended.handleMsg()).isEqualTo("killed by alice; interrupted");
        assertThat(admin.journalOf(run)).endsWith("PENDING->FAILED KILLED");
    }

    @Test
    void keepsMessageThatNamesKiller() throws Exception {
        Run run = sentRun();
        kill(run, "alice", "stuck");

        report(run, 500, "killed by alice: stuck (was queued)");

        assertThat(admin.runs.get(run.id()).handleMsg()).isEqualTo("killed by alice: stuck (was queued)");
    }

    @Test
    void keepsResultReportedBeforeKill() throws Exception {
        Run before = sentRun();
        Run finished = sentRun();
        report(before, 200, "done");
        executor.finish(finished.id());

        assertThat(kill(before, "alice", "").end()).isEqualTo(End.OVER);
        kill(finished, "alice", "");
        report(finished, 200, "done");

        assertThat(admin.journalOf(before)).endsWith("PENDING->SUCCESS CALLBACK");
        assertThat(admin.journalOf(finished)).endsWith("PENDING->SUCCESS CALLBACK");
        assertThat(executor.kills()).hasSize(1);
    }

    @Test
    @Tag("must-first")
    void successAfterAcknowledgedKillCountsAsKilled() throws Exception {
        Run run = sentRun();
        assertThat(kill(run, "alice", "stuck").end()).isEqualTo(End.ENDING);

        report(run, 200, "done");

        Run ended = admin.runs.get(run.id());
        assertThat(ended.status()).isEqualTo(RunStatus.FAILED);
        assertThat(ended.handleCode()).isEqualTo(500);
        assertThat(ended.handleMsg())
                .isEqualTo("killed by alice: stuck; afterwards its executor reported success: done");
        assertThat(admin.journalOf(run)).endsWith("PENDING->FAILED KILLED");
    }

    @Test
    @Tag("must-first")
    void successAfterKillWithoutResponseCountsAsKilled() throws Exception {
        Run run = sentRun();
        executor.dropKills(true);
        kill(run, "alice", "");

        report(run, 200, null);

        assertThat(admin.journalOf(run)).endsWith("PENDING->FAILED KILLED");
    }

    @Test
    @Tag("must-first")
    void successCountsAsKilledIfRepeatedKillFindsItFinished() throws Exception {
        Run run = sentRun();
        executor.dropKills(true);
        kill(run, "alice", "");
        executor.dropKills(false);
        executor.finished(run.id(), 200, "done");

        makeKillsDue();
        killer.run();

        assertThat(executor.kills()).hasSize(2);
        assertThat(admin.journalOf(run)).endsWith("PENDING->FAILED KILLED");
    }

    @Test
    @Tag("must-first")
    void successCountsAsKilledIfRepeatedKillDidNotArrive() throws Exception {
        Run run = sentRun();
        executor.dropKills(true);
        kill(run, "alice", "");
        executor.close();
        makeKillsDue();
        killer.run();

        report(run, 200, "done");

        assertThat(admin.journalOf(run)).endsWith("PENDING->FAILED KILLED");
    }

    @Test
    void successStandsIfKillDidNotReachExecutor() throws Exception {
        Run run = sentRun();
        executor.close();
        kill(run, "alice", "");

        report(run, 200, "done");

        assertThat(admin.journalOf(run)).endsWith("PENDING->SUCCESS CALLBACK");
    }

    @Test
    void namesFirstKillerOfRun() throws Exception {
        Run run = sentRun();

        kill(run, "alice", "");
        assertThat(kill(run, "bob", "me too").end()).isEqualTo(End.ENDING);
        report(run, 500, null);
        report(run, 500, null);

        assertThat(kill(run, "carol", "").end()).isEqualTo(End.OVER);
        assertThat(admin.runs.get(run.id()).handleMsg()).isEqualTo("killed by alice");
        assertThat(admin.journalOf(run)).containsOnlyOnce("PENDING->FAILED KILLED");
    }

    @Test
    void finishesRunThatExecutorDoesNotHave() throws Exception {
        Run run = sentRun();
        executor.forget(run.id());

        Outcome outcome = kill(run, "alice", "");

        assertThat(outcome.end()).isEqualTo(End.ENDED);
        assertThat(outcome.status()).isEqualTo(RunStatus.FAILED);
        assertThat(admin.runs.get(run.id()).handleMsg())
                .isEqualTo("killed by alice; %s does not have it".formatted(executor.address()));
        assertThat(admin.journalOf(run)).endsWith("PENDING->FAILED KILLED");
    }

    @Test
    @Tag("must-first")
    void usesResultOfRunThatExecutorHasFinished() throws Exception {
        Run done = sentRun();
        Run failed = sentRun();
        executor.finished(done.id(), 200, "done long ago");
        executor.finished(failed.id(), 500, "no disk");

        Outcome outcome = kill(done, "alice", "");

        assertThat(outcome.end()).isEqualTo(End.ENDED);
        assertThat(outcome.status()).isEqualTo(RunStatus.SUCCESS);
        assertThat(outcome.message()).isEqualTo("done long ago");
        assertThat(admin.journalOf(done)).endsWith("PENDING->SUCCESS CALLBACK");
        assertThat(kill(failed, "alice", "").end()).isEqualTo(End.ENDED);
        assertThat(admin.runs.get(failed.id()).handleMsg()).isEqualTo("killed by alice; no disk");
    }

    @Test
    @Tag("must-first")
    void waitsOneRoundForUnsentResult() throws Exception {
        Run run = sentRun();
        executor.finished(run.id(), 200, "remembered");
        executor.unsentResults(3);

        Outcome outcome = kill(run, "alice", "");
        assertThat(outcome.end()).isEqualTo(End.ENDING);
        assertThat(outcome.message()).isEqualTo(executor.address() + " has finished it; its result is awaited");
        makeKillsDue();
        killer.run();

        assertThat(admin.runs.get(run.id()).status()).isEqualTo(RunStatus.SUCCESS);
        assertThat(admin.runs.get(run.id()).handleMsg()).isEqualTo("remembered");
    }

    @Test
    void retriesKillOfUnreachableExecutor() throws Exception {
        Run run = sentRun();
        executor.dropKills(true);

        Outcome outcome = kill(run, "alice", "");
        assertThat(outcome.end()).isEqualTo(End.ENDING);
        assertThat(outcome.message()).startsWith("the executor cannot be told now and will be told again");
        assertThat(admin.runs.get(run.id()).kill().by()).isEqualTo("alice");
        assertThat(killer.run()).isEqualTo(Pass.DRAINED);
        assertThat(executor.kills()).as("not in a hurry").hasSize(1);

        executor.dropKills(false);
        makeKillsDue();
        killer.run();

        assertThat(executor.kills()).hasSize(2);
        assertThat(executor.kills().get(1).reason()).isEqualTo("killed by alice");
    }

    @Test
    void runOfRestartedExecutorEndsWithOldInstance() throws Exception {
        Run run = sentRun();
        executor.restartAs("another");

        Outcome outcome = kill(run, "alice", "");
        assertThat(outcome.end()).isEqualTo(End.ENDING);
        assertThat(outcome.message()).contains("is another instance now");

        admin.jdbc.sql("update orth_executor set status = 'DEAD'").update();
        admin.runs.loseOfGoneExecutors(Duration.ofSeconds(20), 10);

        assertThat(admin.runs.get(run.id()).handleMsg()).isEqualTo("killed by alice; its executor is gone");
        assertThat(admin.journalOf(run)).endsWith("PENDING->FAILED KILLED");
    }

    @Test
    void finishesKilledRunThatNeverArrived() throws Exception {
        Run run = admin.intendedRun(group, target);

        Outcome outcome = kill(run, "alice", "");
        assertThat(outcome.end()).isEqualTo(End.ENDING);
        assertThat(outcome.message()).contains("may be on its way");
        triggers.dispatcher.submit(List.of(admin.runs.get(run.id())));
        triggers.sendAll();
        admin.expireClaims();
        triggers.rescuer.run();
        triggers.sendAll();
        assertThat(executor.received()).isEmpty();
        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.INIT);

        makeKillsDue();
        killer.run();

        assertThat(admin.journalOf(run)).endsWith("INIT->TRIGGER_FAILED KILLED");
    }

    @Test
    void killedRunThatArrivedEndsWithItsResult() throws Exception {
        Run run = admin.unsentRun(group);
        executor.dropAnswers();
        triggers.dispatcher.submit(List.of(run));
        triggers.sendAll();
        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.INIT);

        assertThat(kill(run, "alice", "").end()).isEqualTo(End.ENDING);
        report(run, 500, null);

        assertThat(admin.journalOf(run)).endsWith("INIT->PENDING ACCEPTED", "PENDING->FAILED KILLED");
    }

    @Test
    void awaitsKilledRunOfUnreachableExecutor() throws Exception {
        Run run = admin.intendedRun(group, target);
        executor.dropKills(true);
        kill(run, "alice", "");
        admin.expireClaims();
        makeKillsDue();

        killer.run();

        assertThat(admin.journalOf(run)).endsWith("INIT->PENDING UNCONFIRMED");
    }

    @Test
    void killsNoneIfOneRunDoesNotExist() {
        Run run = sentRun();

        assertThatThrownBy(() -> killer.kill(List.of(run.id(), 7L), "alice", ""))
                .hasMessageContaining("there is no run 7");

        assertThat(executor.kills()).isEmpty();
        assertThat(admin.runs.get(run.id()).kill()).isNull();
    }

    @Test
    void killsAllUnfinishedRunsOfJob() throws Exception {
        Run waiting = admin.unsentRun(group);
        Run running = sentRun();
        Run over = sentRun();
        report(over, 200, null);

        List<Outcome> outcomes = killer.killJob(1, "alice", "");

        assertThat(outcomes).extracting(Outcome::runId).containsExactlyInAnyOrder(waiting.id(), running.id());
        assertThat(killer.killJob(2, "alice", "")).isEmpty();
        assertThat(executor.kills())
                .singleElement()
                .satisfies(kill -> assertThat(kill.logIds()).containsExactly(running.id()));
    }

    @Test
    void finishesRunOfUnknownExecutor() throws Exception {
        Run run = sentRun();
        admin.jdbc.sql("delete from orth_executor").update();

        assertThat(kill(run, "alice", "").end()).isEqualTo(End.ENDED);
        assertThat(admin.runs.get(run.id()).handleMsg()).contains("its executor is not known any more");
    }

    private Outcome kill(Run run, String by, String reason) throws InterruptedException {
        List<Outcome> outcomes = killer.kill(List.of(run.id()), by, reason);
        assertThat(outcomes).hasSize(1);
        return outcomes.get(0);
    }

    private Run sentRun() {
        Run run = admin.unsentRun(group);
        triggers.dispatcher.submit(List.of(run));
        triggers.sendAll();
        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.PENDING);
        return admin.runs.get(run.id());
    }

    private void report(Run run, int code, String message) {
        admin.callbacks.take(
                group.id(), List.of(new CallbackItem(run.id(), run.logDateTime(), code, message, "instance")));
    }

    private void makeKillsDue() {
        admin.jdbc
                .sql("update orth_run set kill_next_at = now() where kill_next_at is not null")
                .update();
    }
}
