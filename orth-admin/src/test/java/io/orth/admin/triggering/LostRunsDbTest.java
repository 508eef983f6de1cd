package io.orth.admin.triggering;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.AdminFixture;
import io.orth.admin.registry.ExecutorGroup;
import io.orth.admin.registry.LostWorkDetector;
import io.orth.admin.registry.Target;
import io.orth.admin.run.Run;
import io.orth.admin.run.RunCause;
import io.orth.admin.run.RunStatus;
import io.orth.protocol.CallbackItem;
import io.orth.runtime.Duty.Pass;
import io.orth.runtime.Threads;
import io.orth.testkit.FakeExecutor;
import io.orth.testkit.TestDatabase;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Runs dispatched to an online executor according to the database, compared with the executor's reply. */
@Tag("must-first")
class LostRunsDbTest {

    private static final Duration INTERVAL = Duration.ofSeconds(30);
    private static final Duration TIMEOUT = Duration.ofDays(7);

    /** Ids contain their creation time, which is long ago by this clock. */
    private static final Clock IDS_ARE_OLD = Clock.offset(Clock.systemUTC(), Duration.ofHours(1));

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private final FakeExecutor executor = new FakeExecutor("instance");
    private final ExecutorService askers = Threads.pool("test-inquiry", 4, 100);
    private final AtomicLong nanos = new AtomicLong();
    private AdminFixture admin;
    private ExecutorGroup group;
    private Target target;
    private LostWorkDetector detector;

    @BeforeEach
    void setUp() {
        admin = AdminFixture.onEmptied(db);
        group = admin.group("group");
        target = admin.executor(group, "instance", executor.address());
        detector = new LostWorkDetector(
                List.of(new HeldRuns(admin.losses(IDS_ARE_OLD), admin.callbacks, admin.systemLog)),
                admin.executors,
                TriggersFixture.inquiry(),
                askers,
                nanos::get,
                INTERVAL,
                TIMEOUT);
    }

    @AfterEach
    void tearDown() {
        askers.shutdownNow();
        executor.close();
    }

    @Test
    void recordsResultThatExecutorRemembers() throws Exception {
        Run run = oldRun();
        executor.finished(run.id(), 200, "all done");

        round();

        Run ended = admin.runs.get(run.id());
        assertThat(ended.status()).isEqualTo(RunStatus.SUCCESS);
        assertThat(ended.handleMsg()).isEqualTo("all done");
        assertThat(admin.journalOf(run)).endsWith("PENDING->SUCCESS CALLBACK");
    }

    @Test
    @Tag("must-kernel")
    void recordsNonRetryableFailure() throws Exception {
        Run run = oldRun();
        executor.failedForGood(run.id(), "broken");

        round();

        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.FAILED);
        assertThat(admin.jdbc
                        .sql("select non_retryable from orth_run_all where id = :id")
                        .param("id", run.id())
                        .query(Boolean.class)
                        .single())
                .isTrue();
    }

    @Test
    void waitsForUnsentResultForLimitedTime() throws Exception {
        Run run = oldRun();
        Run reported = oldRun();
        executor.finished(run.id(), 500, "remembered");
        executor.finished(reported.id(), 500, "remembered");
        executor.unsentResults(2);

        round();
        round();
        report(reported, 500, "reported in full");
        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.PENDING);
        round();

        assertThat(admin.runs.get(run.id()).handleMsg()).isEqualTo("remembered");
        assertThat(admin.runs.get(reported.id()).handleMsg()).isEqualTo("reported in full");
    }

    @Test
    void losesRunAfterTwoUnknownReplies() throws Exception {
        Run run = oldRun();

        round();
        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.PENDING);
        round();

        Run ended = admin.runs.get(run.id());
        assertThat(ended.status()).isEqualTo(RunStatus.FAILED);
        assertThat(ended.cause()).isEqualTo(RunCause.LOST);
        assertThat(ended.handleMsg()).isEqualTo("Result lost: its executor does not have it");
        assertThat(admin.journalOf(run)).endsWith("PENDING->FAILED LOST");
        assertThat(admin.systemLog.lines())
                .endsWith("WARN 1 runs were failed: %s does not have them".formatted(executor.address()));
        assertThat(admin.runs.revokedOf(target.executorId())).containsExactly(run.id());
    }

    @Test
    void knownReplyResetsUnknownCount() throws Exception {
        Run run = oldRun();
        round();
        executor.knows(run.id());
        round();
        executor.forget(run.id());
        round();

        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.PENDING);
        round();
        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.FAILED);
    }

    @Test
    void waitsForUnsentResultsOfUnknownRun() throws Exception {
        Run run = oldRun();
        executor.unsentResults(1);

        for (int i = 0; i < LostWorkDetector.PATIENT - 1; i++) {
            round();
        }
        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.PENDING);
        round();

        assertThat(admin.runs.get(run.id()).cause()).isEqualTo(RunCause.LOST);
    }

    @Test
    void lateResultCorrectsLostRun() throws Exception {
        Run run = oldRun();
        round();
        round();

        report(run, 200, "late");

        assertThat(admin.journalOf(run)).endsWith("PENDING->FAILED LOST", "FAILED->SUCCESS LATE_RESULT");
    }

    @Test
    void leavesHeldRunAlone() throws Exception {
        Run run = oldRun();
        executor.knows(run.id());
        admin.jdbc
                .sql("update orth_run set status_at = now() - interval '30 days'")
                .update();

        for (int i = 0; i < LostWorkDetector.PATIENT + 2; i++) {
            round();
        }

        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.PENDING);
    }

    @Test
    void asksOnlyAboutRunsOlderThanTwoIntervals() throws Exception {
        Run young = admin.pendingRun(group, target);
        Run unsent = admin.intendedRun(group, target);
        Run old = oldRun();
        executor.knows(old.id());

        round();

        assertThat(executor.questions()).containsExactly(old.id());
        assertThat(admin.statusOf(young)).isEqualTo(RunStatus.PENDING);
        assertThat(admin.statusOf(unsent)).isEqualTo(RunStatus.INIT);
    }

    @Test
    void asksOnlyAfterHeartbeatYoungerThanRun() throws Exception {
        Run run = oldRun();
        admin.jdbc
                .sql("update orth_executor set heartbeat_timeout_ms = 3600000")
                .update();
        admin.silence(target, Duration.ofMinutes(10));

        round();
        assertThat(executor.questions()).isEmpty();
        admin.silence(target, Duration.ZERO);
        round();

        assertThat(executor.questions()).containsExactly(run.id());
    }

    /** It responds to probes, so it stays online. */
    @Test
    @Tag("must-kernel")
    void asksExecutorWithoutHeartbeatSinceDispatch() throws Exception {
        Run run = oldRun();
        admin.silence(target, Duration.ofMinutes(10));

        round();
        round();

        assertThat(admin.journalOf(run)).endsWith("PENDING->FAILED LOST");
    }

    @Test
    void keepsRunOfUnreachableExecutorBeforeTimeout() throws Exception {
        Run run = oldRun();
        age(run, TIMEOUT.minusHours(1));
        executor.restartAs("another");

        for (int i = 0; i < LostWorkDetector.PATIENT; i++) {
            round();
        }

        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.PENDING);
    }

    @Test
    @Tag("must-kernel")
    void losesRunOfUnreachableExecutorAfterTimeout() throws Exception {
        Run run = oldRun();
        executor.restartAs("another");
        age(run, TIMEOUT.plusHours(1));

        for (int i = 0; i < LostWorkDetector.PATIENT; i++) {
            assertThat(admin.statusOf(run)).isEqualTo(RunStatus.PENDING);
            round();
        }

        assertThat(admin.runs.get(run.id()).handleMsg())
                .isEqualTo("Result lost: its executor cannot be asked about it");
        assertThat(admin.journalOf(run)).endsWith("PENDING->FAILED LOST");
        assertThat(admin.systemLog.lines())
                .endsWith("WARN 1 runs were failed: %s cannot be asked about them".formatted(executor.address()));
        assertThat(admin.runs.revokedOf(target.executorId())).containsExactly(run.id());
    }

    @Test
    @Tag("must-kernel")
    void oneResponseResetsUnreachableCount() throws Exception {
        Run run = oldRun();
        executor.knows(run.id());
        age(run, TIMEOUT.plusHours(1));

        for (int i = 0; i < 2; i++) {
            executor.restartAs("another");
            for (int j = 0; j < LostWorkDetector.PATIENT - 1; j++) {
                round();
            }
            executor.restartAs("instance");
            executor.knows(run.id());
            round();
        }

        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.PENDING);
    }

    private void age(Run run, Duration age) {
        admin.jdbc
                .sql("update orth_run set status_at = now() - :seconds * interval '1 second' where id = :id")
                .param("seconds", age.toSeconds())
                .param("id", run.id())
                .update();
    }

    @Test
    void asksNoOfflineExecutor() throws Exception {
        oldRun();
        admin.jdbc.sql("update orth_executor set status = 'OFFLINE'").update();

        round();
        round();

        assertThat(executor.questions()).isEmpty();
    }

    @Test
    void ignoresRunsOfXxlJobExecutors() throws Exception {
        Target foreign = admin.foreignExecutor(group, "http://127.0.0.1:9");
        Run run = aged(admin.pendingRun(group, foreign));

        round();
        round();

        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.PENDING);
        assertThat(executor.questions()).isEmpty();
    }

    @Test
    void lostRunWithKillRequestCountsAsKilled() throws Exception {
        Run run = oldRun();
        admin.kills.request(List.of(run.id()), "alice", "", Duration.ofHours(1));

        round();
        round();

        assertThat(admin.runs.get(run.id()).handleMsg()).isEqualTo("killed by alice; its executor does not have it");
        assertThat(admin.journalOf(run)).endsWith("PENDING->FAILED KILLED");
    }

    @Test
    void boundsRunsOfOneRound() throws Exception {
        List<Run> runs = new ArrayList<>();
        for (int part = 0; part < 6; part++) {
            runs.addAll(admin.runs.create(
                    Collections.nCopies(1_000, AdminFixture.newRun(group, null)), AdminFixture.CLAIM));
        }
        admin.jdbc
                .sql("update orth_run set executor_id = :id, status = 'PENDING', trigger_code = 200")
                .param("id", target.executorId())
                .update();
        admin.jdbc
                .sql("update orth_run set status_at = status_at - interval '5 minutes'")
                .update();
        runs.forEach(run -> executor.knows(run.id()));

        round();
        assertThat(executor.questions()).hasSize(5_000);
        round();

        assertThat(executor.questions()).hasSize(6_000).doesNotHaveDuplicates();
    }

    @Test
    void asksNothingBetweenRounds() throws Exception {
        Run run = oldRun();
        executor.knows(run.id());
        assertThat(detector.run()).isEqualTo(Pass.DRAINED);

        nanos.addAndGet(INTERVAL.minusSeconds(1).toNanos());
        detector.run();

        assertThat(executor.questions()).hasSize(1);
    }

    private void round() throws InterruptedException {
        detector.run();
        nanos.addAndGet(INTERVAL.toNanos());
    }

    /** As after a failover: the executor once took it, and the database awaits its result. */
    private Run oldRun() {
        return aged(admin.pendingRun(group, target));
    }

    private Run aged(Run run) {
        admin.jdbc
                .sql("update orth_run set status_at = status_at - interval '5 minutes' where id = :id")
                .param("id", run.id())
                .update();
        return run;
    }

    private void report(Run run, int code, String message) {
        admin.callbacks.take(
                group.id(), List.of(new CallbackItem(run.id(), run.logDateTime(), code, message, "instance")));
    }
}
