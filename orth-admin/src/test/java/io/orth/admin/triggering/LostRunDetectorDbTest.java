package io.orth.admin.triggering;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.AdminFixture;
import io.orth.admin.kernel.EntityKind;
import io.orth.admin.registry.ExecutorGroup;
import io.orth.admin.registry.Target;
import io.orth.admin.run.Run;
import io.orth.admin.run.RunStatus;
import io.orth.admin.run.Runs;
import io.orth.protocol.CallbackItem;
import io.orth.protocol.Codes;
import io.orth.runtime.Duty.Pass;
import io.orth.testkit.TestDatabase;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class LostRunDetectorDbTest {

    private static final String ADDRESS = "http://127.0.0.1:9999";
    private static final Duration GRACE = Duration.ofSeconds(20);

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private AdminFixture admin;
    private ExecutorGroup group;
    private Target executor;
    private LostRunDetector detector;

    @BeforeEach
    void setUp() {
        admin = AdminFixture.onEmptied(db);
        group = admin.group("group");
        executor = admin.executor(group, "instance", ADDRESS);
        detector = new LostRunDetector(admin.runs, GRACE, admin.systemLog);
    }

    @Test
    void losesRunOfDeadExecutor() {
        Run run = admin.pendingRun(group, executor);
        gone("DEAD", Duration.ZERO);

        detector.run();

        assertThat(admin.runs.get(run.id()).status()).isEqualTo(RunStatus.FAILED);
        assertThat(admin.runs.get(run.id()).handleMsg()).isEqualTo("Result lost");
        assertThat(admin.journalOf(run)).endsWith("PENDING->FAILED LOST");
        assertThat(admin.systemLog.lines()).endsWith("WARN 1 runs were failed: their executors are gone");
    }

    @Test
    @Tag("must-kernel")
    void losesRunOfUnknownExecutor() {
        Run run = admin.pendingRun(group, executor);
        Run foreign = admin.pendingRun(group, admin.foreignExecutor(group, "http://127.0.0.1:9998"));
        admin.jdbc
                .sql("delete from orth_executor where id = :id")
                .param("id", executor.executorId())
                .update();

        detector.run();

        assertThat(admin.journalOf(run)).endsWith("PENDING->FAILED LOST");
        assertThat(admin.statusOf(foreign)).isEqualTo(RunStatus.PENDING);
    }

    @Test
    void leavesRunOfOnlineExecutorAlone() {
        Run run = admin.pendingRun(group, executor);
        admin.jdbc
                .sql("update orth_run set status_at = now() - interval '30 days'")
                .update();

        assertThat(detector.run()).isEqualTo(Pass.DRAINED);

        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.PENDING);
    }

    @Test
    void awaitsResultsOfDeregisteredExecutorForGracePeriod() {
        Run run = admin.pendingRun(group, executor);

        gone("OFFLINE", GRACE.minusSeconds(5));
        detector.run();
        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.PENDING);
        gone("OFFLINE", GRACE.plusSeconds(1));
        detector.run();

        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.FAILED);
    }

    @Test
    void leavesRunsOfNewInstanceAtAddressAlone() {
        Run old = admin.pendingRun(group, executor);
        admin.register(group, "successor", ADDRESS, true);
        Run young = admin.pendingRun(group, admin.target("successor"));

        detector.run();

        assertThat(admin.statusOf(old)).isEqualTo(RunStatus.FAILED);
        assertThat(admin.statusOf(young)).isEqualTo(RunStatus.PENDING);
    }

    @Test
    void ignoresRunsThatWereNotAccepted() {
        Run unsent = admin.unsentRun(group);
        Run intended = admin.intendedRun(group, executor);
        gone("DEAD", Duration.ZERO);

        detector.run();

        assertThat(admin.statusOf(unsent)).isEqualTo(RunStatus.INIT);
        assertThat(admin.statusOf(intended)).isEqualTo(RunStatus.INIT);
    }

    @Test
    void keepsEarlierResult() {
        Run run = admin.pendingRun(group, executor);
        admin.callbacks.take(group.id(), List.of(new CallbackItem(run.id(), 0, Codes.SUCCESS, "", "instance")));
        gone("DEAD", Duration.ZERO);

        detector.run();

        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.SUCCESS);
        assertThat(admin.journalOf(run)).hasSize(3);
    }

    @Test
    void fullBatchRequestsAnotherPass() {
        List<Run> runs =
                admin.runs.create(Collections.nCopies(201, AdminFixture.newRun(group, null)), AdminFixture.CLAIM);
        admin.jdbc
                .sql("update orth_run set executor_id = :id, status = 'PENDING', trigger_code = 200")
                .param("id", executor.executorId())
                .update();
        gone("DEAD", Duration.ZERO);

        assertThat(detector.run()).isEqualTo(Pass.MORE);
        assertThat(detector.run()).isEqualTo(Pass.DRAINED);
        assertThat(runs).allSatisfy(run -> assertThat(admin.statusOf(run)).isEqualTo(RunStatus.FAILED));
    }

    @Test
    @Tag("must-kernel")
    void losesOtherRunsIfOneFails() {
        List<Run> runs = Stream.generate(() -> admin.pendingRun(group, executor))
                .limit(5)
                .toList();
        List<Long> poison = List.of(runs.get(0).id(), runs.get(1).id());
        Runs refusing = new Runs(admin.jdbc, admin.refusing(EntityKind.RUN, poison), admin.runIds, admin.transactions);
        gone("DEAD", Duration.ZERO);

        assertThat(refusing.loseOfGoneExecutors(GRACE, 2)).isEqualTo(2);
        assertThat(refusing.loseOfGoneExecutors(GRACE, 2)).isEqualTo(1);
        assertThat(runs)
                .extracting(admin::statusOf)
                .containsExactly(
                        RunStatus.PENDING, RunStatus.PENDING, RunStatus.FAILED, RunStatus.FAILED, RunStatus.FAILED);

        assertThat(admin.runs.loseOfGoneExecutors(GRACE, 2)).isEqualTo(2);
    }

    private void gone(String status, Duration since) {
        admin.jdbc
                .sql("update orth_executor set status = :status, status_at = now() - make_interval(secs => :secs)")
                .param("status", status)
                .param("secs", since.toSeconds())
                .update();
    }
}
