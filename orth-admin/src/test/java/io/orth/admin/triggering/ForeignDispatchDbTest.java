package io.orth.admin.triggering;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.AdminFixture;
import io.orth.admin.job.Execution;
import io.orth.admin.registry.ExecutorGroup;
import io.orth.admin.registry.Target;
import io.orth.admin.run.NewRun;
import io.orth.admin.run.Route;
import io.orth.admin.run.Run;
import io.orth.admin.run.RunStatus;
import io.orth.admin.run.TriggerType;
import io.orth.admin.triggering.FakeXxlExecutor.Generation;
import io.orth.protocol.BlockStrategy;
import io.orth.protocol.CallbackItem;
import io.orth.protocol.GlueType;
import io.orth.protocol.LogRequest;
import io.orth.testkit.FakeExecutor;
import io.orth.testkit.TestDatabase;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Dispatch of runs to executors that speak only the XXL-JOB protocol. */
@Tag("must-runs")
class ForeignDispatchDbTest {

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private final FakeXxlExecutor executor = new FakeXxlExecutor(Generation.W2);
    private AdminFixture admin;
    private ExecutorGroup group;
    private Target target;
    private TriggersFixture triggers;

    @BeforeEach
    void setUp() {
        admin = AdminFixture.onEmptied(db);
        group = admin.group("group");
        target = admin.foreignExecutor(group, executor.address());
        triggers = new TriggersFixture(admin);
    }

    @AfterEach
    void tearDown() {
        executor.close();
    }

    @Test
    void triggerHasExactlyFieldsOfXxlJob() {
        Run run = send(1).get(0);

        assertThat(executor.runs())
                .singleElement()
                .satisfies(body -> assertThat(body)
                        .containsOnlyKeys(
                                "jobId",
                                "executorHandler",
                                "executorParams",
                                "executorBlockStrategy",
                                "executorTimeout",
                                "logId",
                                "logDateTime",
                                "glueType",
                                "glueUpdatetime",
                                "broadcastIndex",
                                "broadcastTotal")
                        .containsEntry("jobId", 1)
                        .containsEntry("executorHandler", "handler")
                        .containsEntry("executorParams", "param")
                        .containsEntry("executorBlockStrategy", "SERIAL_EXECUTION")
                        .containsEntry("logId", run.id())
                        .containsEntry("logDateTime", run.logDateTime())
                        .containsEntry("glueType", "BEAN")
                        .containsEntry("broadcastIndex", 0)
                        .containsEntry("broadcastTotal", 1));
        assertThat(executor.tokens()).containsExactly(admin.groups.token(group.id()));
    }

    @Test
    void sendsEachTriggerInOwnRequest() {
        List<Run> runs = send(10);

        assertThat(executor.calls()).hasSize(10).allMatch(call -> call.startsWith("/run "));
        assertThat(runs).allSatisfy(run -> {
            assertThat(admin.statusOf(run)).isEqualTo(RunStatus.PENDING);
            assertThat(admin.journalOf(run)).endsWith("INIT->PENDING ACCEPTED");
        });
    }

    @Test
    void keepsOrderOfRunsOfOneJob() {
        List<NewRun> wanted = IntStream.range(0, 12)
                .mapToObj(n -> newRun(1 + n % 2, BlockStrategy.SERIAL))
                .toList();
        List<Run> runs = admin.runs.create(wanted, AdminFixture.CLAIM);

        triggers.dispatcher.submit(runs);
        triggers.sendAll();

        for (int job = 1; job <= 2; job++) {
            Object thisJob = job;
            assertThat(executor.runs().stream()
                            .filter(body -> body.get("jobId").equals(thisJob))
                            .map(body -> (Long) body.get("logId")))
                    .isSorted()
                    .hasSize(6);
        }
    }

    @Test
    void limitsConcurrentRequests() {
        CountDownLatch full = new CountDownLatch(TriggersFixture.SENDS_AT_ONCE);
        executor.beforeAnswer(() -> {
            full.countDown();
            awaitQuietly(full);
        });
        List<NewRun> wanted = IntStream.rangeClosed(1, 3 * TriggersFixture.SENDS_AT_ONCE)
                .mapToObj(job -> newRun(job, BlockStrategy.SERIAL))
                .toList();

        triggers.dispatcher.submit(admin.runs.create(wanted, AdminFixture.CLAIM));
        triggers.sendAll();

        assertThat(executor.runs()).hasSize(wanted.size());
        assertThat(executor.mostUnderWay()).isEqualTo(TriggersFixture.SENDS_AT_ONCE);
    }

    @Test
    void neverResendsRunWithoutResponse() {
        executor.goMute();
        Run run = send(1).get(0);

        admin.expireClaims();
        triggers.rescuer.run();
        triggers.sendAll();

        assertThat(executor.callsOf("/run")).hasSize(1);
        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.PENDING);
        assertThat(admin.journalOf(run)).endsWith("INIT->PENDING UNCONFIRMED");
        assertThat(admin.runs.get(run.id()).triggerMsg()).contains("gave no clear answer", "it is not sent again");
    }

    /** All runs are of one job, so they would time out one after the other. */
    @Test
    void sendsNoMoreRunsAfterMissingResponse() {
        executor.goMute();
        try (FakeXxlExecutor other = new FakeXxlExecutor(Generation.W3)) {
            admin.foreignExecutor(group, other.address());

            List<Run> runs = send(20);

            assertThat(runs).allSatisfy(run -> assertThat(admin.statusOf(run)).isEqualTo(RunStatus.PENDING));
            assertThat(executor.callsOf("/run").size() + other.runs().size()).isEqualTo(20);
            assertThat(executor.callsOf("/run")).hasSize(1);
        }
    }

    @Test
    void triesUnreachableExecutorOncePerBatch() {
        executor.close();

        List<Run> runs = send(20);

        assertThat(runs).allSatisfy(run -> {
            assertThat(admin.statusOf(run)).isEqualTo(RunStatus.INIT);
            assertThat(admin.runs.get(run.id()).executorId()).isNull();
        });
        assertThat(runs.stream()
                        .mapToInt(run -> admin.runs.get(run.id()).dispatch())
                        .sum())
                .isEqualTo(1);
    }

    @Test
    void countsResultOfUnconfirmedRun() {
        executor.goMute();
        Run run = send(1).get(0);

        admin.callbacks.take(group.id(), List.of(new CallbackItem(run.id(), 0, 200, "done", null)));

        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.SUCCESS);
    }

    @Test
    void treatsUnreadableResponseAsUnconfirmed() {
        for (String answer : List.of("<html>hello</html>", "{\"code\":\"x\"}", "[]", "{}")) {
            try (RawExecutor odd = new RawExecutor(200, answer)) {
                assertUnconfirmed(odd);
            }
        }
        for (int status : List.of(408, 500, 502, 503, 201, 302)) {
            try (RawExecutor broken = new RawExecutor(status, "bad gateway")) {
                assertUnconfirmed(broken);
            }
        }
    }

    @Tag("must-first")
    @ParameterizedTest
    @ValueSource(ints = {400, 401, 403, 404, 405, 413, 429})
    void treats4xxAsRejection(int status) {
        executor.answerWithStatus(status);

        Run run = send(1).get(0);

        assertThat(executor.callsOf("/run")).hasSize(1);
        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.TRIGGER_FAILED);
        assertThat(admin.journalOf(run)).endsWith("INIT->TRIGGER_FAILED REFUSED");
        assertThat(admin.runs.get(run.id()).triggerMsg())
                .isEqualTo("no executor took it: %s: HTTP status %d".formatted(executor.address(), status));
    }

    @Tag("must-first")
    @Test
    void triesTheNextExecutorAfterA4xx() {
        executor.answerWithStatus(404);
        try (FakeXxlExecutor other = new FakeXxlExecutor(Generation.W3)) {
            admin.foreignExecutor(group, other.address());

            List<Run> runs = send(6);

            assertThat(runs).allSatisfy(run -> {
                assertThat(admin.statusOf(run)).isEqualTo(RunStatus.PENDING);
                assertThat(admin.runs.get(run.id()).address()).isEqualTo(other.address());
            });
            assertThat(other.runs()).hasSize(6);
        }
    }

    private void assertUnconfirmed(RawExecutor odd) {
        ExecutorGroup own = admin.group("g" + odd.address().replaceAll("\\D", ""));
        admin.foreignExecutor(own, odd.address());
        Run run = admin.unsentRun(own);

        triggers.dispatcher.submit(List.of(run));
        triggers.sendAll();

        assertThat(odd.calls()).containsExactly("/run");
        assertThat(admin.journalOf(run)).endsWith("INIT->PENDING UNCONFIRMED");
    }

    @Test
    void doesNotResendRunWhoseSenderDied() {
        Run run = admin.intendedRun(group, target);
        admin.expireClaims();

        triggers.rescuer.run();
        triggers.sendAll();

        assertThat(executor.calls()).isEmpty();
        assertThat(admin.journalOf(run)).endsWith("INIT->PENDING UNCONFIRMED");
    }

    @Test
    void failsRunRejectedByOnlyExecutor() {
        executor.refuse("job handler [handler] not found.");

        Run run = send(1).get(0);

        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.TRIGGER_FAILED);
        assertThat(admin.runs.get(run.id()).triggerMsg()).contains("job handler [handler] not found.");
    }

    @Test
    void sendsRejectedRunToNextExecutorOfAnyKind() {
        executor.refuse("job handler [handler] not found.");
        try (FakeExecutor ours = new FakeExecutor("ours")) {
            admin.executor(group, "ours", ours.address());

            List<Run> runs = send(6);

            assertThat(runs).allSatisfy(run -> {
                assertThat(admin.statusOf(run)).isEqualTo(RunStatus.PENDING);
                assertThat(admin.runs.get(run.id()).address()).isEqualTo(ours.address());
            });
        }
    }

    @Test
    @Tag("must-first")
    void skipsRunThatBusyExecutorDiscards() {
        executor.refuse("block strategy effect：Discard Later");
        try (FakeXxlExecutor other = new FakeXxlExecutor(Generation.W3)) {
            admin.foreignExecutor(group, other.address());
            List<Run> runs = admin.runs.create(
                    List.of(newRun(1, BlockStrategy.DISCARD), newRun(2, BlockStrategy.DISCARD)), AdminFixture.CLAIM);

            triggers.dispatcher.submit(runs);
            triggers.sendAll();

            assertThat(executor.callsOf("/run").size() + other.runs().size()).isEqualTo(2);
            assertThat(runs).extracting(admin::statusOf).contains(RunStatus.SKIPPED, RunStatus.PENDING);
        }
    }

    @Test
    void unknownRejectionIsFinalForDiscardJob() {
        executor.refuse("There are tasks running");
        try (FakeXxlExecutor other = new FakeXxlExecutor(Generation.W3)) {
            other.refuse("There are tasks running");
            admin.foreignExecutor(group, other.address());
            List<Run> runs = admin.runs.create(List.of(newRun(1, BlockStrategy.DISCARD)), AdminFixture.CLAIM);

            triggers.dispatcher.submit(runs);
            triggers.sendAll();

            assertThat(executor.callsOf("/run").size() + other.callsOf("/run").size())
                    .isEqualTo(1);
            assertThat(admin.statusOf(runs.get(0))).isEqualTo(RunStatus.TRIGGER_FAILED);
        }
    }

    @Test
    void keepsUndeliveredRunUnsent() {
        executor.close();
        Run run = send(1).get(0);

        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.INIT);
        assertThat(admin.runs.get(run.id()).executorId()).isNull();
    }

    @Test
    void sendsSourceText() {
        admin.jdbc.sql("""
                        insert into orth_job (name, group_id, param, schedule_type, misfire, enabled, glue_type, source_version)
                        values ('script', :group, '', 'NONE', 'DO_NOTHING', true, 'GLUE_SHELL', 1)
                        """).param("group", group.id()).update();
        admin.jdbc.sql("""
                        insert into orth_job_source (job_id, version, type, source, note, author, created_at)
                        select id, 1, 'GLUE_SHELL', 'echo hi', '', 'ann', timestamptz '2030-01-01 00:00:00Z' from orth_job
                        """).update();
        int job = admin.jdbc.sql("select id from orth_job").query(Integer.class).single();
        NewRun wanted = new NewRun(
                job,
                "script",
                group.id(),
                null,
                "",
                TriggerType.MANUAL,
                null,
                new Execution(BlockStrategy.SERIAL, 1, 0, GlueType.GLUE_SHELL),
                1,
                null,
                Route.DEFAULT);

        triggers.dispatcher.submit(admin.runs.create(List.of(wanted), AdminFixture.CLAIM));
        triggers.sendAll();

        assertThat(executor.runs())
                .singleElement()
                .satisfies(body -> assertThat(body)
                        .containsEntry("glueType", "GLUE_SHELL")
                        .containsEntry("glueSource", "echo hi")
                        .containsEntry("glueUpdatetime", 1893456000000L)
                        .containsEntry("executorParams", ""));
    }

    @Test
    void probesAddressWithoutInstanceId() throws Exception {
        assertThat(triggers.gateway.answers(target)).isTrue();
        executor.close();
        assertThat(triggers.gateway.answers(target)).isFalse();
    }

    @Test
    @Tag("must-first")
    void callsAnExecutorBelowThePathItRegistered() throws Exception {
        ExecutorGroup own = admin.group("below-a-path");
        try (FakeXxlExecutor below = new FakeXxlExecutor(Generation.W3, "/e/xxl-job")) {
            Target registered = admin.foreignExecutor(own, below.address() + "/");
            Run run = admin.unsentRun(own);
            triggers.dispatcher.submit(List.of(run));
            triggers.sendAll();
            below.busy(run.jobId());
            below.print("hello");

            assertThat(admin.statusOf(run)).isEqualTo(RunStatus.PENDING);
            assertThat(triggers.foreign.isIdle(registered, run.jobId(), Duration.ofSeconds(30)))
                    .isFalse();
            assertThat(triggers.foreign
                            .log(registered, new LogRequest(run.id(), run.logDateTime(), 1))
                            .text())
                    .contains("hello");
            assertThat(triggers.foreign.kill(registered, run.jobId())).isTrue();
            assertThat(triggers.gateway.answers(registered)).isTrue();
            assertThat(below.calls())
                    .extracting(call -> call.substring(0, call.indexOf(' ')))
                    .containsExactly(
                            "/e/xxl-job/run",
                            "/e/xxl-job/idleBeat",
                            "/e/xxl-job/log",
                            "/e/xxl-job/kill",
                            "/e/xxl-job/beat");

            admin.executors.leaveForeign(own.id(), below.address(), InetAddress.getLoopbackAddress());
            assertThat(admin.executorStatus(registered)).isEqualTo("OFFLINE");
        }
    }

    private List<Run> send(int count) {
        List<Run> runs =
                IntStream.range(0, count).mapToObj(n -> admin.unsentRun(group)).toList();
        triggers.dispatcher.submit(runs);
        triggers.sendAll();
        return runs;
    }

    private NewRun newRun(int job, BlockStrategy block) {
        return new NewRun(
                job,
                "job",
                group.id(),
                "handler",
                "",
                TriggerType.MANUAL,
                null,
                new Execution(block, 1, 0, GlueType.BEAN),
                null,
                "trace",
                Route.DEFAULT);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await(2, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
