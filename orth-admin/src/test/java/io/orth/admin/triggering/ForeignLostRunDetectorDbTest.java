package io.orth.admin.triggering;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.AdminFixture;
import io.orth.admin.kernel.EntityKind;
import io.orth.admin.kernel.Liveness;
import io.orth.admin.kernel.Ticker;
import io.orth.admin.registry.ExecutorGroup;
import io.orth.admin.registry.OutageGuard;
import io.orth.admin.registry.Target;
import io.orth.admin.registry.XxlJobProperties;
import io.orth.admin.run.ForeignLosses;
import io.orth.admin.run.Run;
import io.orth.admin.run.RunStatus;
import io.orth.admin.triggering.FakeXxlExecutor.Generation;
import io.orth.protocol.CallbackItem;
import io.orth.protocol.Codes;
import io.orth.testkit.ManualClock;
import io.orth.testkit.TestDatabase;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpClient;
import java.nio.channels.SocketChannel;
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

@Tag("must-runs")
class ForeignLostRunDetectorDbTest {

    /** The job id of {@link AdminFixture#newRun}. */
    private static final int JOB = 1;

    private static final Duration SILENT = Duration.ofSeconds(90);
    private static final Duration OUTAGE_GRACE = Duration.ofSeconds(60);
    private static final Duration LOST = Duration.ofMinutes(10);
    private static final Duration GAP = Duration.ofSeconds(60);
    private static final Duration LONGEST = Duration.ofDays(7);

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private final ManualClock clock = ManualClock.at("2030-01-01T12:00:00Z");
    private final FakeXxlExecutor executor = new FakeXxlExecutor(Generation.W3);
    private final Liveness liveness =
            new Liveness("lease", Duration.ofSeconds(15), Duration.ofHours(1), clock.ticker()::getAsLong);
    private AdminFixture admin;
    private ExecutorGroup group;
    private Target target;
    private ForeignLostRunDetector detector;

    @BeforeEach
    void setUp() {
        admin = AdminFixture.onEmptied(db);
        group = admin.group("group");
        target = admin.foreignExecutor(group, executor.address());
        detector = detector(TriggersFixture.foreign(Duration.ofSeconds(5)));
        clock.advance(SILENT);
    }

    private ForeignLostRunDetector detector(ForeignGateway gateway) {
        XxlJobProperties properties =
                new XxlJobProperties(SILENT, 4, Duration.ofSeconds(3), GAP, LOST, GAP, LONGEST, Duration.ofSeconds(40));
        IdleWatch idle = new IdleWatch(
                admin.foreignLosses, admin.executors, gateway, Runnable::run, properties, clock.ticker()::getAsLong);
        OutageGuard guard =
                OutageGuard.xxlJob(admin.executors, SILENT, OUTAGE_GRACE, admin.systemLog, (kind, change, text) -> {});
        return new ForeignLostRunDetector(admin.foreignLosses, idle, liveness, guard, properties, admin.systemLog);
    }

    @AfterEach
    void tearDown() {
        executor.close();
    }

    @Test
    void losesOldRunOfSilentExecutor() throws Exception {
        Run run = awaited(LOST.plusSeconds(5));
        admin.silence(target, SILENT.plusSeconds(5));

        detector.run();

        assertThat(admin.runs.get(run.id()).handleCode()).isEqualTo(Codes.FAIL);
        assertThat(admin.runs.get(run.id()).handleMsg()).isEqualTo("Result lost");
        assertThat(admin.journalOf(run)).endsWith("PENDING->FAILED LOST");
    }

    @Test
    void requiresBothRunAgeAndSilence() throws Exception {
        executor.busy(JOB);
        Run young = awaited(LOST.minusSeconds(30));
        admin.silence(target, SILENT.plusSeconds(5));
        detector.run();
        assertThat(admin.statusOf(young)).isEqualTo(RunStatus.PENDING);

        Run old = awaited(LOST.plusSeconds(5));
        admin.silence(target, SILENT.minusSeconds(30));
        detector.run();

        assertThat(admin.statusOf(old)).isEqualTo(RunStatus.PENDING);
    }

    @Tag("must-first")
    @Test
    void losesNoRunDuringSuspectedOutage() throws Exception {
        executor.busy(JOB);
        Run run = awaited(LOST.plusSeconds(5));
        admin.foreignExecutor(group, "http://127.0.0.1:9001");
        admin.foreignExecutor(group, "http://127.0.0.1:9002");
        silenceAll(SILENT.plusSeconds(5));

        detector.run();
        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.PENDING);

        silenceAll(SILENT.plus(OUTAGE_GRACE).plusSeconds(5));
        detector.run();
        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.FAILED);
    }

    private void silenceAll(Duration since) {
        admin.executors.online(List.of(group.id())).get(group.id()).forEach(each -> admin.silence(each, since));
    }

    @Test
    void losesRunOfDeregisteredExecutorAfterSilence() throws Exception {
        Run run = awaited(LOST.plusSeconds(5));
        admin.jdbc.sql("update orth_executor set status = 'OFFLINE'").update();
        detector.run();
        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.PENDING);

        admin.silence(target, SILENT.plusSeconds(5));
        detector.run();

        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.FAILED);
    }

    @Test
    void ignoresSilenceWhileNodeIsUnhealthy() throws Exception {
        Run run = awaited(LOST.plusSeconds(5));
        admin.silence(target, SILENT.plusSeconds(5));
        liveness.failed("lease", 1, new IllegalStateException("no database"));

        clock.advance(SILENT.minusSeconds(1));
        detector.run();
        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.PENDING);

        clock.advance(Duration.ofSeconds(1));
        detector.run();
        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.FAILED);
    }

    @Test
    void losesRunAfterTwoIdleResponses() throws Exception {
        Run run = awaited(LOST.plusSeconds(5));

        detector.run();
        clock.advance(GAP.minusSeconds(1));
        detector.run();
        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.PENDING);
        clock.advance(Duration.ofSeconds(1));
        detector.run();

        assertThat(admin.journalOf(run)).endsWith("PENDING->FAILED LOST");
        assertThat(admin.runs.get(run.id()).handleMsg())
                .isEqualTo("Result lost: its executor said twice that it does not run job 1");
        assertThat(executor.callsOf("/idleBeat")).hasSize(3).allMatch(call -> call.endsWith("{\"jobId\":1}"));
    }

    @Test
    void busyResponseResetsIdleCount() throws Exception {
        Run run = awaited(LOST.plusSeconds(5));

        detector.run();
        executor.busy(JOB);
        clock.advance(GAP);
        detector.run();
        executor.idle(JOB);
        clock.advance(GAP);
        detector.run();

        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.PENDING);
    }

    @Test
    void missingResponseDoesNotCountAsIdle() throws Exception {
        Run run = awaited(LOST.plusSeconds(5));
        executor.goMute();

        detector.run();
        clock.advance(GAP);
        detector.run();

        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.PENDING);
    }

    @Tag("must-first")
    @ParameterizedTest
    @ValueSource(ints = {404, 401, 500, 503})
    void losesRunsOfAddressWithInvalidResponses(int status) throws Exception {
        Run old = awaited(LOST.plusSeconds(5));
        Run young = awaited(LOST.minusMinutes(8));
        executor.answerWithStatus(status);

        for (int i = 1; i < 5; i++) {
            detector.run();
            clock.advance(GAP);
        }
        assertThat(admin.statusOf(old)).isEqualTo(RunStatus.PENDING);
        detector.run();

        assertThat(admin.journalOf(old)).endsWith("PENDING->FAILED LOST");
        assertThat(admin.runs.get(old.id()).handleMsg())
                .isEqualTo(
                        "Result lost: its executor was asked 5 times whether it runs job 1 and gave no valid response");
        assertThat(admin.statusOf(young)).isEqualTo(RunStatus.PENDING);
    }

    @Tag("must-first")
    @Test
    void losesRunsOfAddressThatClosesConnections() throws Exception {
        Run run = awaited(LOST.plusSeconds(5));
        executor.goMute();

        for (int i = 0; i < 5; i++) {
            detector.run();
            clock.advance(GAP);
        }

        assertThat(admin.journalOf(run)).endsWith("PENDING->FAILED LOST");
    }

    @Test
    void countsOnlyConsecutiveFailuresOverTime() throws Exception {
        executor.busy(JOB);
        Run run = awaited(LOST.plusSeconds(5));
        executor.answerWithStatus(404);
        for (int i = 0; i < 4; i++) {
            detector.run();
            clock.advance(GAP);
        }
        executor.answerWithStatus(200);
        detector.run();
        executor.answerWithStatus(404);
        for (int i = 0; i < 10; i++) {
            detector.run();
            clock.advance(Duration.ofSeconds(1));
        }

        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.PENDING);
    }

    @Tag("must-first")
    @Test
    void losesRunsOfRegisteredAddressThatRejectsConnections() throws Exception {
        Run run = awaited(LOST.plusSeconds(5));
        executor.close();

        for (int i = 1; i < 5; i++) {
            detector.run();
            clock.advance(GAP);
        }
        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.PENDING);
        detector.run();

        assertThat(admin.journalOf(run)).endsWith("PENDING->FAILED LOST");
    }

    /** The failure may be in this node's own network. */
    @Tag("must-first")
    @Test
    void ignoresHostThatDoesNotRespond() throws Exception {
        executor.close();
        HttpClient impatient = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(Duration.ofMillis(300))
                .build();
        detector = detector(new ForeignGateway(
                new ExecutorHttp(impatient, () -> "test", () -> false), Duration.ofSeconds(5), 4, Ticker.system()));
        List<SocketChannel> waiting = new ArrayList<>();
        try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            for (int i = 0; i < 10; i++) {
                SocketChannel channel = SocketChannel.open();
                channel.configureBlocking(false);
                channel.connect(full.getLocalSocketAddress());
                waiting.add(channel);
            }
            target = admin.foreignExecutor(group, "http://127.0.0.1:%d".formatted(full.getLocalPort()));
            Run silent = awaited(LOST.plusSeconds(5));
            target = admin.foreignExecutor(group, "http://127.0.0.1:9");
            Run unknown = awaited(LOST.plusSeconds(5));
            admin.jdbc
                    .sql("update orth_executor set address = 'http://host.invalid:9' where id = :id")
                    .param("id", target.executorId())
                    .update();

            for (int i = 0; i < 6; i++) {
                detector.run();
                clock.advance(GAP);
            }

            assertThat(List.of(admin.statusOf(silent), admin.statusOf(unknown))).containsOnly(RunStatus.PENDING);
        } finally {
            for (SocketChannel channel : waiting) {
                channel.close();
            }
        }
    }

    @Test
    void asksNoExecutorAboutYoungRuns() throws Exception {
        awaited(LOST.minusSeconds(30));

        detector.run();

        assertThat(executor.calls()).isEmpty();
    }

    @Test
    void losesRunAfterMaximumAge() throws Exception {
        executor.busy(JOB);
        Run old = awaited(LONGEST.plusSeconds(5));
        Run young = awaited(LONGEST.minusSeconds(60));

        detector.run();

        assertThat(admin.journalOf(old)).endsWith("PENDING->FAILED LOST");
        assertThat(admin.runs.get(old.id()).handleMsg()).isEqualTo("Result lost: no result within PT168H");
        assertThat(admin.statusOf(young)).isEqualTo(RunStatus.PENDING);
    }

    @Test
    void ignoresRunsOfOrthExecutors() throws Exception {
        Target ours = admin.executor(group, "ours", "http://127.0.0.1:9");
        Run run = admin.pendingRun(group, ours);
        pendingFor(run, LONGEST.plusSeconds(5));
        admin.silence(ours, SILENT.plusSeconds(5));

        detector.run();

        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.PENDING);
    }

    @Test
    void otherDetectorIgnoresRunsOfXxlJobExecutors() {
        Run run = awaited(Duration.ofMinutes(1));
        admin.jdbc
                .sql("update orth_executor set status = 'DEAD', status_at = now() - interval '1 hour'")
                .update();

        new LostRunDetector(admin.runs, Duration.ofSeconds(20), admin.systemLog).run();

        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.PENDING);
    }

    @Test
    void lateResultCorrectsLostRun() throws Exception {
        Run run = awaited(LOST.plusSeconds(5));
        admin.silence(target, SILENT.plusSeconds(5));
        detector.run();

        admin.callbacks.take(group.id(), List.of(new CallbackItem(run.id(), 0, 200, "done", null)));

        assertThat(admin.journalOf(run)).endsWith("PENDING->FAILED LOST", "FAILED->SUCCESS LATE_RESULT");
    }

    @Test
    void lostRunWithKillRequestCountsAsKilled() throws Exception {
        Run run = awaited(LOST.plusSeconds(5));
        admin.kills.request(List.of(run.id()), "ann", "", Duration.ofSeconds(5));
        admin.silence(target, SILENT.plusSeconds(5));

        detector.run();

        assertThat(admin.journalOf(run)).endsWith("PENDING->FAILED KILLED");
    }

    @Test
    @Tag("must-kernel")
    void losesOtherRunsIfOneFails() {
        Run poison = awaited(LOST.plusSeconds(5));
        Run first = awaited(LOST.plusSeconds(5));
        Run second = awaited(LOST.plusSeconds(5));
        ForeignLosses refusing =
                new ForeignLosses(admin.jdbc, admin.refusing(EntityKind.RUN, List.of(poison.id())), admin.transactions);

        assertThat(refusing.ofAge(LOST, "lost", 1)).isEqualTo(1);
        assertThat(refusing.ofAge(LOST, "lost", 2)).isEqualTo(1);

        assertThat(List.of(poison, first, second))
                .extracting(admin::statusOf)
                .containsExactly(RunStatus.PENDING, RunStatus.FAILED, RunStatus.FAILED);
    }

    private Run awaited(Duration since) {
        Run run = admin.pendingRun(group, target);
        pendingFor(run, since);
        return run;
    }

    private void pendingFor(Run run, Duration since) {
        admin.jdbc
                .sql("update orth_run set status_at = now() - make_interval(secs => :secs) where id = :id")
                .param("secs", since.toSeconds())
                .param("id", run.id())
                .update();
    }
}
