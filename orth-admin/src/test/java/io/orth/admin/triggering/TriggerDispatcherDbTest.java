package io.orth.admin.triggering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.admin.AdminFixture;
import io.orth.admin.job.Execution;
import io.orth.admin.job.Job;
import io.orth.admin.job.JobSpec;
import io.orth.admin.job.JobSpecs;
import io.orth.admin.job.MisfirePolicy;
import io.orth.admin.job.Schedule;
import io.orth.admin.job.SourceEdit;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.registry.ExecutorGroup;
import io.orth.admin.registry.Target;
import io.orth.admin.run.NewRetry;
import io.orth.admin.run.Run;
import io.orth.admin.run.RunStatus;
import io.orth.admin.run.SendIntent;
import io.orth.admin.run.TriggerType;
import io.orth.protocol.BlockStrategy;
import io.orth.protocol.Codes;
import io.orth.protocol.GlueType;
import io.orth.protocol.TriggerRequest;
import io.orth.testkit.FakeExecutor;
import io.orth.testkit.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TriggerDispatcherDbTest {

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private static final Execution SHELL = new Execution(BlockStrategy.SERIAL, 1, 0, GlueType.GLUE_SHELL);

    private final List<AutoCloseable> servers = new ArrayList<>();
    private AdminFixture admin;
    private ExecutorGroup group;
    private TriggersFixture triggers;

    @BeforeEach
    void setUp() {
        admin = AdminFixture.onEmptied(db);
        group = admin.group("group");
        triggers = new TriggersFixture(admin);
    }

    @AfterEach
    void tearDown() throws Exception {
        for (AutoCloseable server : servers) {
            server.close();
        }
    }

    @Test
    void sendsRunOnceAndAwaitsResult() {
        FakeExecutor executor = executor("instance");
        Run run = admin.unsentRun(group);

        send(run);
        send(run);

        assertThat(executor.received()).singleElement().satisfies(trigger -> {
            assertThat(trigger.logId()).isEqualTo(run.id());
            assertThat(trigger.jobId()).isEqualTo(run.jobId());
            assertThat(trigger.handler()).isEqualTo("handler");
            assertThat(trigger.params()).isEqualTo("param");
            assertThat(trigger.logDateTime()).isEqualTo(run.createdAt().toEpochMilli());
            assertThat(trigger.instanceId()).isEqualTo("instance");
            assertThat(trigger.dispatch()).isEqualTo(1);
            assertThat(trigger.traceId()).isEqualTo("trace");
        });
        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.PENDING);
        assertThat(admin.runs.get(run.id()).triggerMsg()).isEqualTo("accepted by " + executor.address());
        assertThat(admin.journalOf(run)).containsExactly("null->INIT CREATED", "INIT->PENDING ACCEPTED");
    }

    @Test
    void commitsIntentBeforeSending() {
        RawExecutor executor = raw("instance", new RawExecutor(500, ""));
        Run run = admin.unsentRun(group);
        List<Run> seenMeanwhile = new ArrayList<>();
        executor.beforeAnswer(() -> seenMeanwhile.add(admin.runs.get(run.id())));

        send(run);

        assertThat(seenMeanwhile).singleElement().satisfies(seen -> {
            assertThat(seen.status()).isEqualTo(RunStatus.INIT);
            assertThat(seen.dispatch()).isEqualTo(1);
            assertThat(seen.executorId()).isEqualTo(admin.target("instance").executorId());
            assertThat(seen.address()).isEqualTo(executor.address());
        });
    }

    @Test
    void doesNotSendRunTakenByAnotherNode() {
        FakeExecutor executor = executor("instance");
        Target target = admin.target("instance");
        Run run = admin.unsentRun(group);
        admin.runs.intend(
                List.of(new SendIntent(run.id(), 0, target.executorId(), target.address())), AdminFixture.CLAIM);

        send(run);

        assertThat(executor.received()).isEmpty();
    }

    @Test
    void executorsTakeTurns() {
        FakeExecutor first = executor("first");
        FakeExecutor second = executor("second");

        for (int i = 0; i < 10; i++) {
            send(admin.unsentRun(group));
        }

        assertThat(first.received()).hasSize(5);
        assertThat(second.received()).hasSize(5);
    }

    @Test
    void sendsRejectedRunToNextExecutor() {
        FakeExecutor refusing = executor("first");
        FakeExecutor taking = executor("second");
        refusing.refuse("no such handler");

        Run run = admin.unsentRun(group);
        Run other = admin.unsentRun(group);
        send(run);
        send(other);

        assertThat(taking.received()).extracting(TriggerRequest::logId).containsExactlyInAnyOrder(run.id(), other.id());
        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.PENDING);
        assertThat(admin.statusOf(other)).isEqualTo(RunStatus.PENDING);
        TriggerRequest resent = taking.received().stream()
                .filter(trigger -> trigger.dispatch() == 2)
                .findFirst()
                .orElseThrow();
        assertThat(admin.runs.get(resent.logId()).dispatch()).isEqualTo(2);
    }

    @Test
    void failsRunRejectedByAllWithTheirReasons() {
        FakeExecutor first = executor("first");
        FakeExecutor second = executor("second");
        first.refuse("no such handler");
        second.refuse("too busy");

        Run run = admin.unsentRun(group);
        send(run);

        Run failed = admin.runs.get(run.id());
        assertThat(failed.status()).isEqualTo(RunStatus.TRIGGER_FAILED);
        assertThat(failed.triggerCode()).isEqualTo(Codes.FAIL);
        assertThat(failed.triggerMsg())
                .startsWith("no executor took it: ")
                .contains(first.address() + ": no such handler")
                .contains(second.address() + ": too busy");
        assertThat(first.received()).hasSize(1);
        assertThat(second.received()).hasSize(1);
    }

    @Test
    void skipsUnreachableExecutor() {
        FakeExecutor gone = executor("gone");
        FakeExecutor there = executor("there");
        gone.close();

        Run run = admin.unsentRun(group);
        Run other = admin.unsentRun(group);
        send(run);
        send(other);

        assertThat(there.received()).hasSize(2);
        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.PENDING);
        assertThat(admin.statusOf(other)).isEqualTo(RunStatus.PENDING);
    }

    @Test
    void waitsWhileNoExecutorIsReachable() {
        executor("gone").close();
        Run run = admin.unsentRun(group);

        send(run);
        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.INIT);
        assertThat(admin.runs.get(run.id()).executorId()).isNull();

        FakeExecutor back = executor("back");
        admin.jdbc
                .sql("update orth_executor set status = 'DEAD' where instance_id = 'gone'")
                .update();
        admin.expireClaims();
        triggers.rescuer.run();
        triggers.sendAll();

        assertThat(back.received()).hasSize(1);
        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.PENDING);
    }

    @Test
    void waitsWhileOnlyExecutorIsStopping() {
        FakeExecutor leaving = executor("leaving");
        leaving.refuseAsStopping();
        Run run = admin.unsentRun(group);

        send(run);
        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.INIT);

        leaving.acceptAgain();
        admin.expireClaims();
        triggers.rescuer.run();
        triggers.sendAll();
        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.PENDING);
    }

    @Test
    @Tag("must-first")
    void timeWithUnreachableExecutorsDoesNotCount() {
        FakeExecutor executor = executor("instance");
        executor.close();
        Run run = admin.unsentRun(group);
        send(run);

        admin.age(run, Duration.ofMinutes(55));
        lookForLong(run);
        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.INIT);
        assertThat(admin.runs.get(run.id()).triggerMsg()).isEqualTo(cannotBeReached(executor));

        FakeExecutor back = FakeExecutor.at(executor.address(), executor.instanceId());
        servers.add(back);
        triggers.probe();
        look(run, Duration.ofSeconds(1));
        assertThat(back.received()).hasSize(1);
        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.PENDING);
    }

    /** Each attempt tries only a few executors, so it takes several attempts to find all of them unreachable. */
    @Test
    @Tag("must-first")
    void timeWithManyUnreachableExecutorsDoesNotCount() {
        for (int i = 0; i < 40; i++) {
            executor("instance-" + i).close();
        }
        Run run = admin.unsentRun(group);
        send(run);

        for (int i = 0; i < 10; i++) {
            look(run, Duration.ofSeconds(4));
        }

        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.INIT);
    }

    @Test
    void failsAfterExecutorsAreUnreachableTooLong() {
        FakeExecutor gone = executor("gone");
        gone.close();
        Run run = admin.unsentRun(group);
        send(run);

        admin.age(run, Duration.ofMinutes(61));
        lookForLong(run);

        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.TRIGGER_FAILED);
        assertThat(admin.runs.get(run.id()).triggerMsg()).isEqualTo(cannotBeReached(gone));
    }

    private static String cannotBeReached(FakeExecutor executor) {
        return "executors send heartbeats but cannot be reached by this admin: " + executor.address();
    }

    @Test
    void waitsBrieflyWithoutOnlineExecutor() {
        Run run = admin.unsentRun(group);

        send(run);
        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.INIT);

        FakeExecutor late = executor("late");
        admin.expireClaims();
        triggers.rescuer.run();
        triggers.sendAll();
        assertThat(late.received()).hasSize(1);
        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.PENDING);
    }

    @Test
    void failsAfterWaitingForExecutor() {
        Run run = admin.unsentRun(group);

        send(run);
        lookForLong(run);

        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.TRIGGER_FAILED);
        assertThat(admin.runs.get(run.id()).triggerMsg()).isEqualTo("no executor of the group is online");
    }

    @Test
    @Tag("must-first")
    void timeWithoutActiveAdminDoesNotCount() {
        Run run = admin.unsentRun(group);
        send(run);

        admin.age(run, Duration.ofSeconds(45));
        look(run, Duration.ofSeconds(45));
        assertThat(admin.statusOf(run)).as("after an outage of all admins").isEqualTo(RunStatus.INIT);

        FakeExecutor back = executor("back");
        look(run, Duration.ofSeconds(1));
        assertThat(back.received()).hasSize(1);
        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.PENDING);
    }

    @Test
    @Tag("must-first")
    void timeWithStoppingExecutorDoesNotCount() {
        FakeExecutor executor = executor("instance");
        executor.refuseAsStopping();
        Run run = admin.unsentRun(group);
        send(run);

        admin.age(run, Duration.ofSeconds(55));
        lookForLong(run);
        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.INIT);

        executor.acceptAgain();
        look(run, Duration.ofSeconds(1));
        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.PENDING);
    }

    @Test
    void failsAfterExecutorIsStoppingTooLong() {
        executor("instance").refuseAsStopping();
        Run run = admin.unsentRun(group);
        send(run);

        admin.age(run, Duration.ofMinutes(61));
        lookForLong(run);

        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.TRIGGER_FAILED);
    }

    /** Lets the run wait for an executor longer than allowed. */
    private void lookForLong(Run run) {
        for (int i = 0; i < 4 && admin.statusOf(run) == RunStatus.INIT; i++) {
            look(run, Duration.ofSeconds(3));
        }
    }

    /** Attempts to send the run again, this long after the previous attempt. */
    private void look(Run run, Duration after) {
        admin.unwatched(run, after);
        admin.expireClaims();
        triggers.rescuer.run();
        triggers.sendAll();
    }

    @Test
    void sendsNoRunToAnotherGroup() {
        FakeExecutor foreign = new FakeExecutor("foreign");
        servers.add(foreign);
        admin.executor(admin.group("other"), "foreign", foreign.address());

        send(admin.unsentRun(group));

        assertThat(foreign.received()).isEmpty();
        assertThat(foreign.tokens()).isEmpty();
    }

    @Test
    void sendsTokenToNoRedirectTarget() {
        FakeExecutor elsewhere = new FakeExecutor("elsewhere");
        servers.add(elsewhere);
        RawExecutor redirecting = raw("instance", new RawExecutor(302, new byte[0], elsewhere.address() + "/orth/run"));

        Run run = admin.unsentRun(group);
        send(run);

        assertThat(redirecting.calls()).containsExactly("/orth/run");
        assertThat(elsewhere.tokens()).isEmpty();
        assertThat(elsewhere.received()).isEmpty();
        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.INIT);
    }

    @Test
    void sendsTokenOfGroup() {
        FakeExecutor executor = executor("instance");

        send(admin.unsentRun(group));

        assertThat(executor.tokens()).containsExactly(admin.groups.token(group.id()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "<html>nginx</html>",
                "null",
                "[]",
                "{}",
                "{\"code\":200}",
                "{\"code\":\"x\"}",
                "{\"code\":200,\"content\":\"ok\"}",
                "{\"code\":200,\"content\":{\"outcomes\":[]}}",
                "{\"code\":200,\"content\":{\"instanceId\":\"instance\",\"outcomes\":7}}",
                "{\"code\":200,\"content\":{\"instanceId\":\"instance\",\"outcomes\":[]}}"
            })
    void invalidResponseLeavesRunUnconfirmed(String answer) {
        RawExecutor executor = raw("instance", new RawExecutor(200, answer));
        Run run = admin.unsentRun(group);

        send(run);

        assertThat(executor.calls()).containsExactly("/orth/run");
        assertThat(admin.runs.get(run.id()).status()).isEqualTo(RunStatus.INIT);
        assertThat(admin.runs.get(run.id()).dispatch()).isEqualTo(1);
    }

    @Test
    void abortsEndlessResponse() {
        byte[] endless = "x".repeat(9 * 1024 * 1024).getBytes(StandardCharsets.UTF_8);
        raw("instance", new RawExecutor(200, endless, null));
        Run run = admin.unsentRun(group);

        send(run);

        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.INIT);
    }

    @Test
    void ignoresOutcomesOfOtherRuns() {
        Run other = admin.unsentRun(group);
        raw(
                "instance",
                new RawExecutor(
                        200,
                        "{\"code\":200,\"content\":{\"instanceId\":\"instance\",\"outcomes\":[{\"logId\":%d,\"code\":200}]}}"
                                .formatted(other.id())));

        send(admin.unsentRun(group));

        assertThat(admin.statusOf(other)).isEqualTo(RunStatus.INIT);
    }

    @Test
    void splitsLargeBatches() {
        FakeExecutor executor = executor("instance");
        TriggersFixture small = new TriggersFixture(admin, Clock.systemUTC(), TriggersFixture.properties(3));
        List<Run> runs = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            runs.add(admin.unsentRun(group));
        }

        small.dispatcher.submit(runs);
        small.sendAll();

        assertThat(executor.tokens()).as("one per request").hasSize(3);
        assertThat(executor.received()).hasSize(8);
    }

    @Test
    void manualFireUsesJobParameterOrGivenOne() {
        FakeExecutor executor = executor("instance");
        Job job = admin.job(group, "job", new Schedule.None(), MisfirePolicy.FIRE_ONCE);

        Run own = triggers.triggers().fire(job, null, TriggerType.MANUAL, "trace-1");
        Run other = triggers.triggers().fire(job, "special", TriggerType.API, null);
        triggers.sendAll();

        assertThat(executor.received())
                .extracting(TriggerRequest::params)
                .containsExactlyInAnyOrder("param", "special");
        assertThat(admin.runs.get(own.id()).triggerType()).isEqualTo(TriggerType.MANUAL);
        assertThat(admin.runs.get(own.id()).traceId()).isEqualTo("trace-1");
        assertThat(admin.runs.get(other.id()).triggerType()).isEqualTo(TriggerType.API);
        assertThatThrownBy(() -> triggers.triggers().fire(job, "nul\0", TriggerType.API, null))
                .isInstanceOf(OrthException.class)
                .hasMessageContaining("param");
    }

    @Test
    void triggerHasExecutionSettingsOfJob() {
        FakeExecutor executor = executor("instance");
        Job job = sourceJob("echo 1", new Execution(BlockStrategy.CONCURRENT, 7, 90, GlueType.GLUE_SHELL));

        Run run = triggers.triggers().fire(job, null, TriggerType.MANUAL, null);
        triggers.sendAll();

        assertThat(executor.received()).singleElement().satisfies(trigger -> {
            assertThat(trigger.handler()).isNull();
            assertThat(trigger.blockStrategy()).isEqualTo(BlockStrategy.CONCURRENT);
            assertThat(trigger.concurrency()).isEqualTo(7);
            assertThat(trigger.timeoutSeconds()).isEqualTo(90);
            assertThat(trigger.glue().type()).isEqualTo("GLUE_SHELL");
            assertThat(trigger.glue().source()).isEqualTo("echo 1");
            assertThat(trigger.glue().updatedAt())
                    .isEqualTo(
                            admin.sources.get(job.id(), 1).about().createdAt().toEpochMilli());
        });
        assertThat(admin.runs.get(run.id()).sourceVersion()).isEqualTo(1);
    }

    @Test
    void runsSourceVersionOfItsCreation() {
        FakeExecutor executor = executor("instance");
        Job job = sourceJob("echo 1", SHELL);
        Run run = triggers.triggers().fire(job, null, TriggerType.MANUAL, null);
        admin.jobs.update(job.id(), 1, job.spec(), true, new SourceEdit("echo 2", "", "me", true));

        triggers.sendAll();

        assertThat(executor.received())
                .singleElement()
                .satisfies(trigger -> assertThat(trigger.glue().source()).isEqualTo("echo 1"));
        assertThat(admin.runs.get(run.id()).sourceVersion()).isEqualTo(1);
    }

    @Test
    void failsRunWithDeletedSource() {
        FakeExecutor executor = executor("instance");
        Job job = sourceJob("echo 1", SHELL);
        Run run = triggers.triggers().fire(job, null, TriggerType.MANUAL, null);
        admin.jobs.delete(job.id());

        triggers.sendAll();

        assertThat(executor.received()).isEmpty();
        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.TRIGGER_FAILED);
        assertThat(admin.runs.get(run.id()).triggerMsg()).contains("version 1").contains("not kept");
    }

    @Test
    void splitsLargeSourcesIntoAcceptableRequests() {
        FakeExecutor executor = executor("instance");
        Job job = sourceJob("\"".repeat(1024 * 1024), SHELL);
        for (int i = 0; i < 5; i++) {
            triggers.triggers().fire(job, null, TriggerType.MANUAL, null);
        }

        triggers.sendAll();

        assertThat(executor.received()).hasSize(5);
        assertThat(executor.largestRequest()).isLessThan(5 * 1024 * 1024);
        assertThat(executor.tokens()).as("one per request").hasSize(3);
    }

    @Test
    @Tag("must-first")
    void skipsRunThatBusyExecutorDiscards() {
        FakeExecutor first = executor("first");
        FakeExecutor second = executor("second");
        first.discard();
        second.discard();

        Run run = triggers.triggers().fire(discarding(), null, TriggerType.MANUAL, null);
        triggers.sendAll();

        assertThat(first.received().size() + second.received().size()).isEqualTo(1);
        Run skipped = admin.runs.get(run.id());
        assertThat(skipped.status()).isEqualTo(RunStatus.SKIPPED);
        assertThat(skipped.triggerCode()).isEqualTo(Codes.BUSY);
        assertThat(skipped.triggerMsg()).contains("the job was busy").contains("DISCARD");
        assertThat(admin.journalOf(run)).endsWith("INIT->SKIPPED DISCARDED");
    }

    @Test
    @Tag("must-first")
    void failsRetryThatBusyExecutorDiscards() {
        FakeExecutor executor = executor("only");
        executor.refuse("no such handler");
        Run first = triggers.triggers().fire(discarding(), null, TriggerType.MANUAL, null);
        triggers.sendAll();
        executor.discard();

        Run retry = admin.runs
                .retry(List.of(new NewRetry(first.id(), 2, Duration.ZERO)))
                .get(0);
        send(retry);

        assertThat(admin.journalOf(retry)).endsWith("INIT->TRIGGER_FAILED REFUSED");
        assertThat(admin.runs.get(retry.id()).triggerMsg()).contains("the job was busy");
    }

    @Test
    @Tag("must-first")
    void sendsDiscardJobToNextExecutorAfterRejection() {
        FakeExecutor refusing = executor("refusing");
        FakeExecutor other = executor("other");
        refusing.refuse("no such handler");
        Job job = discarding();

        for (int i = 0; i < 2; i++) {
            triggers.triggers().fire(job, null, TriggerType.MANUAL, null);
            triggers.sendAll();
        }

        assertThat(other.received()).hasSize(2);
    }

    @Test
    void sendsDiscardJobToNextIfExecutorIsStopping() {
        FakeExecutor stopping = executor("stopping");
        FakeExecutor other = executor("other");
        stopping.refuseAsStopping();
        Job job = discarding();

        for (int i = 0; i < 2; i++) {
            triggers.triggers().fire(job, null, TriggerType.MANUAL, null);
            triggers.sendAll();
        }

        assertThat(other.received()).hasSize(2);
    }

    private Job discarding() {
        return admin.jobs.create(
                JobSpecs.of(
                        "discarding",
                        group.id(),
                        "handler",
                        "",
                        new Schedule.None(),
                        MisfirePolicy.FIRE_ONCE,
                        new Execution(BlockStrategy.DISCARD, 1, 0, GlueType.BEAN)),
                true);
    }

    private Job sourceJob(String source, Execution execution) {
        JobSpec spec =
                JobSpecs.of("source", group.id(), null, "", new Schedule.None(), MisfirePolicy.FIRE_ONCE, execution);
        return admin.jobs.create(spec, true, new SourceEdit(source, "", "me", true));
    }

    private void send(Run run) {
        triggers.dispatcher.submit(List.of(run));
        triggers.sendAll();
    }

    private FakeExecutor executor(String instance) {
        FakeExecutor executor = new FakeExecutor(instance);
        servers.add(executor);
        admin.executor(group, instance, executor.address());
        return executor;
    }

    private RawExecutor raw(String instance, RawExecutor executor) {
        servers.add(executor);
        admin.executor(group, instance, executor.address());
        return executor;
    }
}
