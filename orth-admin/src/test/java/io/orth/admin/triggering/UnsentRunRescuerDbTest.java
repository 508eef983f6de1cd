package io.orth.admin.triggering;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.AdminFixture;
import io.orth.admin.registry.ExecutorGroup;
import io.orth.admin.registry.Target;
import io.orth.admin.run.Run;
import io.orth.admin.run.RunCause;
import io.orth.admin.run.RunStatus;
import io.orth.protocol.CallbackItem;
import io.orth.protocol.Codes;
import io.orth.runtime.Duty.Pass;
import io.orth.testkit.FakeExecutor;
import io.orth.testkit.TestDatabase;
import java.time.Clock;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class UnsentRunRescuerDbTest {

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private final FakeExecutor executor = new FakeExecutor("instance");
    private AdminFixture admin;
    private ExecutorGroup group;
    private Target target;
    private TriggersFixture triggers;

    @BeforeEach
    void setUp() {
        admin = AdminFixture.onEmptied(db);
        group = admin.group("group");
        target = admin.executor(group, "instance", executor.address());
        triggers = new TriggersFixture(admin);
    }

    @AfterEach
    void tearDown() {
        executor.close();
    }

    @Test
    void sendsRunWhoseNodeDiedBeforeIntent() {
        Run run = admin.unsentRun(group);

        rescueAfterTheClaim();

        assertThat(executor.received()).hasSize(1);
        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.PENDING);
    }

    @Test
    void leavesClaimedRunAlone() {
        Run run = admin.unsentRun(group);

        triggers.rescuer.run();
        triggers.sendAll();

        assertThat(executor.received()).isEmpty();
        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.INIT);
    }

    @Test
    void confirmsRunThatExecutorHas() {
        executor.dropAnswers();
        Run run = admin.unsentRun(group);
        triggers.dispatcher.submit(List.of(run));
        triggers.sendAll();
        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.INIT);

        rescueAfterTheClaim();

        assertThat(executor.received()).hasSize(1);
        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.PENDING);
        assertThat(admin.runs.get(run.id()).triggerMsg())
                .isEqualTo("accepted by %s, as it said when asked".formatted(executor.address()));
        assertThat(admin.journalOf(run)).endsWith("INIT->PENDING ACCEPTED");
    }

    @Test
    void resendsMissingRunToSameInstance() {
        executor.dropRequests();
        FakeExecutor other = new FakeExecutor("other");
        Run run = admin.unsentRun(group);
        triggers.dispatcher.submit(List.of(run));
        triggers.sendAll();
        admin.executor(group, "other", other.address());
        executor.acceptAgain();

        rescueAfterTheClaim();

        other.close();
        assertThat(other.received()).isEmpty();
        assertThat(executor.received()).hasSize(2).last().satisfies(trigger -> {
            assertThat(trigger.instanceId()).isEqualTo("instance");
            assertThat(trigger.dispatch()).isEqualTo(2);
        });
        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.PENDING);
    }

    @Test
    void waitsWhileOnlineExecutorDoesNotRespond() {
        Run run = admin.intendedRun(group, target);
        executor.close();

        rescueAfterTheClaim();

        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.INIT);
        assertThat(admin.journalOf(run)).hasSize(1);
    }

    @Test
    void losesRunAfterExecutorIsUnreachableTooLong() {
        Run run = admin.intendedRun(group, target);
        admin.age(run, Duration.ofMinutes(3));
        executor.close();

        rescueAfterTheClaim();

        assertThat(admin.journalOf(run))
                .containsExactly("null->INIT CREATED", "INIT->PENDING UNCONFIRMED", "PENDING->FAILED LOST");
        assertThat(admin.runs.get(run.id()).handleMsg()).startsWith("Result lost: ");
    }

    @Test
    void losesRunOfUnknownExecutor() {
        Run run = admin.intendedRun(group, target);
        admin.jdbc.sql("delete from orth_executor").update();

        rescueAfterTheClaim();

        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.FAILED);
    }

    @Test
    void losesUnconfirmedRunOfDeadExecutor() {
        Run run = admin.intendedRun(group, target);
        executor.close();
        admin.jdbc.sql("update orth_executor set status = 'DEAD'").update();

        rescueAfterTheClaim();
        new LostRunDetector(admin.runs, Duration.ofSeconds(20), admin.systemLog).run();

        assertThat(admin.journalOf(run))
                .containsExactly("null->INIT CREATED", "INIT->PENDING UNCONFIRMED", "PENDING->FAILED LOST");
        assertThat(admin.runs.get(run.id()).triggerMsg())
                .isEqualTo("%s was gone before it could confirm".formatted(executor.address()));
    }

    @Test
    void ignoresAnotherInstanceAtSameAddress() {
        Run run = admin.intendedRun(group, target);
        executor.restartAs("successor");
        admin.jdbc.sql("update orth_executor set status = 'DEAD'").update();

        rescueAfterTheClaim();

        assertThat(executor.received()).isEmpty();
        assertThat(admin.runs.get(run.id()).cause()).isEqualTo(RunCause.UNCONFIRMED);
    }

    @Test
    void resultSettlesUnconfirmedRun() {
        executor.dropAnswers();
        Run run = admin.unsentRun(group);
        triggers.dispatcher.submit(List.of(run));
        triggers.sendAll();

        admin.callbacks.take(group.id(), List.of(new CallbackItem(run.id(), 0, Codes.SUCCESS, "", "instance")));
        rescueAfterTheClaim();

        assertThat(admin.journalOf(run))
                .containsExactly("null->INIT CREATED", "INIT->PENDING ACCEPTED", "PENDING->SUCCESS CALLBACK");
    }

    @Test
    void rescuesRunOnOneNodeOnly() {
        admin.unsentRun(group);
        TriggersFixture otherNode = new TriggersFixture(admin);
        admin.expireClaims();

        triggers.rescuer.run();
        otherNode.rescuer.run();
        triggers.sendAll();
        otherNode.sendAll();

        assertThat(executor.received()).hasSize(1);
    }

    @Test
    void fullBatchRequestsAnotherPass() {
        admin.runs.create(Collections.nCopies(501, AdminFixture.newRun(group, null)), AdminFixture.CLAIM);
        admin.expireClaims();

        assertThat(triggers.rescuer.run()).isEqualTo(Pass.MORE);
        assertThat(triggers.rescuer.run()).isNotEqualTo(Pass.MORE);
        triggers.sendAll();
        assertThat(executor.received()).hasSize(501).doesNotHaveDuplicates();
    }

    @Test
    void pausesWhenDispatcherIsFull() {
        TriggersFixture small = new TriggersFixture(admin, Clock.systemUTC(), TriggersFixture.properties(500, 700));
        admin.runs.create(Collections.nCopies(1_501, AdminFixture.newRun(group, null)), AdminFixture.CLAIM);
        admin.expireClaims();

        assertThat(small.rescuer.run()).as("500 find room").isEqualTo(Pass.MORE);
        assertThat(small.rescuer.run()).as("300 find none").isNotEqualTo(Pass.MORE);

        small.sendAll();
        admin.expireClaims();
        assertThat(small.rescuer.run()).as("there is room again").isEqualTo(Pass.MORE);
        small.sendAll();
        assertThat(executor.received()).hasSize(1_200).doesNotHaveDuplicates();
    }

    private void rescueAfterTheClaim() {
        admin.expireClaims();
        triggers.rescuer.run();
        triggers.sendAll();
    }
}
