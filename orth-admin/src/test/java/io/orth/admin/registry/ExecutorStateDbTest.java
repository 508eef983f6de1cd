package io.orth.admin.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.admin.AdminFixture;
import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.run.Run;
import io.orth.protocol.CallbackItem;
import io.orth.protocol.Registration;
import io.orth.protocol.WorkerMetrics;
import io.orth.testkit.TestDatabase;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Metrics and states that executors report with a heartbeat, and the replies to them. */
@Tag("must-executor")
class ExecutorStateDbTest {

    private static final String ADDRESS = "http://127.0.0.1:9999";
    private static final WorkerMetrics CALM = new WorkerMetrics(0.15, new WorkerMetrics.Ram(120, 45, 64), 0, 0, 0);
    private static final WorkerMetrics BUSY =
            new WorkerMetrics(1.5, new WorkerMetrics.Ram(900, 400, 512), 8, 42, 1, 0.75);

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private AdminFixture admin;
    private ExecutorGroup group;

    @BeforeEach
    void setUp() {
        admin = AdminFixture.onEmptied(db);
        group = admin.group("group");
    }

    @Test
    void theLatestMetricsAreKept() {
        beat("instance", false, CALM);
        beat("instance", false, BUSY);

        assertThat(admin.executors.get("instance").metrics()).isEqualTo(BUSY);
        assertThat(admin.executors.list(null, Long.MAX_VALUE, 10))
                .singleElement()
                .satisfies(executor -> assertThat(executor.metrics()).isEqualTo(BUSY));
    }

    @Test
    void executorWithoutReportHasNoMetrics() {
        beat("instance", false, CALM);
        beat("instance", false, null);

        assertThat(admin.executors.get("instance").metrics()).isNull();
    }

    @Test
    void drainingExecutorGetsNoWorkAndStaysOnline() {
        beat("stays", false, CALM);
        beat("drains", true, CALM);

        assertThat(admin.executors.online(List.of(group.id())).get(group.id()))
                .extracting(Target::instanceId)
                .containsExactly("stays");
        assertThat(admin.executors.get("drains").draining()).isTrue();
        assertThat(admin.executors.get("drains").status()).isEqualTo(ExecutorStatus.ONLINE);
    }

    @Test
    void samplesOnlineExecutorsEveryMinute() {
        beat("instance", false, CALM);
        beat("silent", false, null);
        beat("gone", false, CALM);
        admin.jdbc
                .sql("update orth_executor set status = 'DEAD' where instance_id = 'gone'")
                .update();

        assertThat(admin.history.sample()).isEqualTo(1);
        aMinuteLater();
        beat("instance", false, BUSY);
        assertThat(admin.history.sample()).isEqualTo(1);

        assertThat(admin.history.of("instance"))
                .extracting(ExecutorSample::metrics)
                .containsExactly(BUSY, CALM);
        assertThat(admin.history.of("silent")).isEmpty();
        assertThat(admin.history.of("gone")).isEmpty();
        assertThatThrownBy(() -> admin.history.of("nobody")).hasMessage("there is no executor nobody");
    }

    /** Two nodes, or one that lost its lease and has it again, may sample the same minute. */
    @Test
    void aSecondSampleInTheSameMinuteChangesNothing() {
        beat("instance", false, CALM);
        int first = admin.history.sample();
        beat("instance", false, BUSY);
        int second = admin.history.sample();

        // The minute may end in between, and then there are two.
        assertThat(first).isEqualTo(1);
        assertThat(admin.history.of("instance"))
                .hasSize(1 + second)
                .extracting(ExecutorSample::at)
                .allMatch(at -> at.equals(at.truncatedTo(ChronoUnit.MINUTES)))
                .doesNotHaveDuplicates();
    }

    @Test
    void deletesOldSamplesInBatchesAndWithTheirExecutor() {
        beat("instance", false, CALM);
        for (int minute = 0; minute < 4; minute++) {
            admin.history.sample();
            aMinuteLater();
        }

        assertThat(admin.history.prune(Duration.ofSeconds(150), 1)).isEqualTo(1);
        assertThat(admin.history.prune(Duration.ofSeconds(150), 10)).isLessThanOrEqualTo(2);
        assertThat(admin.history.of("instance")).isNotEmpty();
        admin.jdbc.sql("delete from orth_executor").update();
        assertThat(admin.jdbc
                        .sql("select count(*) from orth_executor_sample")
                        .query(Long.class)
                        .single())
                .isZero();
    }

    @Test
    void revokesLostRunsUntilExecutorReportsThem() {
        Target executor = beat("instance", false, CALM);
        Target other = beat("other", false, CALM);
        Run reported = admin.pendingRun(group, executor);
        Run running = admin.pendingRun(group, executor);
        Run elsewhere = admin.pendingRun(group, other);
        admin.jdbc.sql("update orth_executor set status = 'DEAD'").update();
        admin.runs.loseOfGoneExecutors(Duration.ZERO, 10);
        Run later = admin.pendingRun(group, executor);
        assertThat(later.id()).isPositive();

        assertThat(admin.runs.revokedOf(executor.executorId())).containsExactlyInAnyOrder(reported.id(), running.id());
        assertThat(admin.runs.revokedOf(other.executorId())).containsExactly(elsewhere.id());

        admin.callbacks.take(
                group.id(), List.of(new CallbackItem(reported.id(), 0, 500, "revoked by the admin", "instance")));
        assertThat(admin.runs.revokedOf(executor.executorId())).containsExactly(running.id());
    }

    @Test
    void revokesRunDeclaredLost() {
        Target executor = beat("instance", false, CALM);
        Run run = admin.intendedRun(group, executor);

        admin.runs.giveUp(List.of(run), "nobody knows");

        assertThat(admin.runs.revokedOf(executor.executorId())).containsExactly(run.id());
    }

    @Test
    void doesNotRevokeRunsFinishedLongAgo() {
        Target executor = beat("instance", false, CALM);
        Run run = admin.intendedRun(group, executor);
        admin.runs.giveUp(List.of(run), "nobody knows");
        admin.jdbc
                .sql("update orth_run_history set finished_at = now() - interval '25 hours'")
                .update();

        assertThat(admin.runs.revokedOf(executor.executorId())).isEmpty();
    }

    @Test
    void theListOfRevokedRunsIsBounded() {
        Target executor = beat("instance", false, CALM);
        Run run = admin.intendedRun(group, executor);
        admin.runs.giveUp(List.of(run), "nobody knows");
        List<Long> ids = LongStream.range(0, 10_001).boxed().toList();
        admin.jdbc.sql("""
                        insert into orth_run_history
                        select (json_populate_record(r, json_build_object('id', r.id + n))).*
                          from orth_run_history r, generate_series(1, :more) n
                        """).param("more", ids.size()).update();

        assertThat(admin.runs.revokedOf(executor.executorId())).hasSize(10_000);
    }

    @Test
    void requestsDrainOutsideTransactionAndStoresIt() throws Exception {
        beat("instance", false, CALM);

        Executor executor = new Drains(admin.executors, target -> {
                    assertThat(TransactionSynchronizationManager.isActualTransactionActive())
                            .isFalse();
                    assertThat(target.instanceId()).isEqualTo("instance");
                })
                .drain("instance");

        assertThat(executor.draining()).isTrue();
        assertThat(admin.executors.online(List.of(group.id()))).isEmpty();
    }

    @Test
    void unreachableExecutorIsNotDrained() {
        beat("instance", false, CALM);
        Drains drains = new Drains(admin.executors, target -> {
            throw new IOException("it cannot be reached");
        });

        assertThatThrownBy(() -> drains.drain("instance"))
                .isInstanceOfSatisfying(
                        OrthException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.EXECUTOR_UNREACHABLE))
                .hasMessage("the executor at %s could not be told to drain: it cannot be reached".formatted(ADDRESS));
        assertThat(admin.executors.get("instance").draining()).isFalse();
    }

    @Test
    void doesNotCallDeadOrUnknownExecutor() {
        Target executor = beat("instance", false, CALM);
        admin.jdbc.sql("update orth_executor set status = 'DEAD'").update();
        Drains drains = new Drains(admin.executors, target -> {
            throw new AssertionError("called " + executor);
        });

        assertThatThrownBy(() -> drains.drain("instance"))
                .isInstanceOfSatisfying(
                        OrthException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFLICT));
        assertThatThrownBy(() -> drains.drain("nobody")).hasMessage("there is no executor nobody");
    }

    private Target beat(String instanceId, boolean draining, WorkerMetrics metrics) {
        Registration.Instance instance =
                new Registration.Instance(instanceId, "host", 7, "test", false, draining, metrics);
        admin.executors.register(
                group.id(), new Registration(group.name(), ADDRESS, instance), InetAddress.getLoopbackAddress());
        return admin.target(instanceId);
    }

    private void aMinuteLater() {
        admin.jdbc
                .sql("update orth_executor_sample set at = at - interval '1 minute'")
                .update();
    }
}
