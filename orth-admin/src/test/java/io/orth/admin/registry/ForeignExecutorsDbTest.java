package io.orth.admin.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.orth.admin.AdminFixture;
import io.orth.admin.kernel.Liveness;
import io.orth.admin.kernel.OrthException;
import io.orth.runtime.Duty.Pass;
import io.orth.testkit.ManualClock;
import io.orth.testkit.TestDatabase;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Executors that register without naming their instance. */
@Tag("must-runs")
class ForeignExecutorsDbTest {

    private static final String ADDRESS = "http://127.0.0.1:9999";
    private static final Duration SILENCE = Duration.ofSeconds(90);
    private static final Duration OUTAGE_GRACE = Duration.ofSeconds(60);

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private final ManualClock clock = ManualClock.at("2030-01-01T12:00:00Z");
    private final Liveness liveness =
            new Liveness("lease", Duration.ofSeconds(15), Duration.ofHours(1), clock.ticker()::getAsLong);
    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private final List<String> notified = new ArrayList<>();
    private final AtomicInteger ports = new AtomicInteger(9000);
    private AdminFixture admin;
    private ExecutorGroup group;
    private OutageGuard guard;

    @BeforeEach
    void setUp() {
        admin = AdminFixture.onEmptied(db);
        group = admin.group("group");
        guard = OutageGuard.xxlJob(
                        admin.executors,
                        SILENCE,
                        OUTAGE_GRACE,
                        admin.systemLog,
                        (kind, change, text) -> notified.add("%s: %s: %s".formatted(change, kind, text)))
                .register(metrics);
        clock.advance(SILENCE);
    }

    @Test
    void isIdentifiedByGroupAndAddress() {
        Target first = admin.foreignExecutor(group, ADDRESS + "/");
        Target again = admin.foreignExecutor(group, ADDRESS);

        assertThat(again).isEqualTo(first);
        assertThat(first.isForeign()).isTrue();
        assertThat(first.address()).isEqualTo(ADDRESS);
        assertThat(first.instanceId()).startsWith("xxl-");
        assertThat(admin.executors.list(null, Long.MAX_VALUE, 10))
                .singleElement()
                .satisfies(shown -> {
                    assertThat(shown.kind()).isEqualTo(ExecutorKind.XXL_JOB);
                    assertThat(shown.host()).isEqualTo("127.0.0.1");
                    assertThat(shown.draining()).isFalse();
                });
        assertThat(admin.journalOf(first)).containsExactly("null->ONLINE REGISTERED");
    }

    @Test
    void theSameAddressInAnotherGroupIsAnother() {
        Target one = admin.foreignExecutor(group, ADDRESS);
        Target other = admin.foreignExecutor(admin.group("other"), ADDRESS);

        assertThat(other.instanceId()).isNotEqualTo(one.instanceId());
        assertThat(admin.executorStatus(one)).isEqualTo("ONLINE");
    }

    @Test
    void itLeavesAndReturns() throws Exception {
        Target executor = admin.foreignExecutor(group, ADDRESS);

        leave(group);
        assertThat(admin.executorStatus(executor)).isEqualTo("OFFLINE");
        leave(group);
        admin.foreignExecutor(group, ADDRESS);

        assertThat(admin.journalOf(executor))
                .containsExactly("null->ONLINE REGISTERED", "ONLINE->OFFLINE LEFT", "OFFLINE->ONLINE RETURNED");
    }

    @Test
    void doesNotDeregisterExecutorOfAnotherGroup() {
        Target executor = admin.foreignExecutor(group, ADDRESS);

        leave(admin.group("other"));

        assertThat(admin.executorStatus(executor)).isEqualTo("ONLINE");
    }

    @Test
    void isDeclaredDeadAfterNinetySecondsWithoutRegistration() {
        Target executor = admin.foreignExecutor(group, ADDRESS);
        admin.silence(executor, SILENCE.minusSeconds(20));
        assertThat(sweep()).isEqualTo(Pass.DRAINED);
        assertThat(admin.executorStatus(executor)).isEqualTo("ONLINE");

        admin.silence(executor, SILENCE.plusSeconds(1));
        sweep();

        assertThat(admin.executorStatus(executor)).isEqualTo("DEAD");
        assertThat(admin.journalOf(executor)).endsWith("ONLINE->DEAD SILENT");
        assertThat(admin.executors.online(List.of(group.id()))).isEmpty();
    }

    @Test
    void isNotSuspectedForLongerHeartbeatInterval() {
        Target executor = admin.foreignExecutor(group, ADDRESS);
        admin.silence(executor, Duration.ofSeconds(55));

        assertThat(admin.executors.quiet(List.of(group.id()), Duration.ofSeconds(10)))
                .isEmpty();
    }

    @Test
    void isNotDeclaredDeadBeforeItCouldRegisterWithThisNode() {
        Target executor = admin.foreignExecutor(group, ADDRESS);
        admin.silence(executor, SILENCE.plusSeconds(1));
        liveness.failed("lease", 1, new IllegalStateException("no database"));

        clock.advance(SILENCE.minusSeconds(1));
        sweep();
        assertThat(admin.executorStatus(executor)).isEqualTo("ONLINE");

        clock.advance(Duration.ofSeconds(1));
        sweep();
        assertThat(admin.executorStatus(executor)).isEqualTo("DEAD");
    }

    @Test
    void sweepersIgnoreExecutorsOfTheOtherKind() throws Exception {
        Target foreign = admin.foreignExecutor(group, ADDRESS);
        Target ours = admin.executor(group, "ours", "http://127.0.0.1:9998");
        admin.silence(foreign, Duration.ofSeconds(60));
        admin.silence(ours, Duration.ofMinutes(5));

        sweep();

        assertThat(admin.executorStatus(ours)).isEqualTo("ONLINE");
        assertThat(admin.executors.silent(ExecutorKind.ORTH, Duration.ofSeconds(15), 0, 10))
                .extracting(silent -> silent.target().instanceId())
                .containsExactly("ours");
    }

    @Test
    void orthExecutorAtTheSameAddressReplacesIt() {
        Target foreign = admin.foreignExecutor(group, ADDRESS);

        admin.register(group, "ours", ADDRESS, true);

        assertThat(admin.journalOf(foreign)).endsWith("ONLINE->DEAD REPLACED");
    }

    @Test
    void orthExecutorCannotRegisterAsXxlJob() {
        String id = ForeignInstance.id(group.id(), ADDRESS);

        assertThatThrownBy(() -> admin.register(admin.group("other"), id, ADDRESS, true))
                .isInstanceOf(OrthException.class)
                .hasMessageContaining("instance.id must not start with xxl-");
        assertThat(admin.executors.list(null, Long.MAX_VALUE, 10)).isEmpty();
    }

    @Test
    void itCannotBeDrained() {
        Target executor = admin.foreignExecutor(group, ADDRESS);
        Drains drains = new Drains(admin.executors, target -> {
            throw new AssertionError("it would not understand");
        });

        assertThatThrownBy(() -> drains.drain(executor.instanceId()))
                .isInstanceOf(OrthException.class)
                .hasMessageContaining("knows no draining");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://169.254.169.254/latest",
                "http://169.254.169.254:80",
                "http://10.0.0.1:9999",
                "http://0.0.0.0:9999",
                "http://2130706433:9999",
                "http://0x7f000001:9999",
                "http://127.1:9999",
                "http://localhost:9999",
                "http://a@127.0.0.1:9999",
                "http://127.0.0.1:9999/path/../other",
                "http://127.0.0.1",
                "ftp://127.0.0.1:21",
                "file:///etc/passwd",
                "127.0.0.1:9999",
                "http://127.0.0.1:9999\r\nX: y"
            })
    void rejectsAddressThatIsNotAnExecutors(String address) {
        assertThatThrownBy(() -> admin.executors.registerForeign(group.id(), address, InetAddress.getLoopbackAddress()))
                .isInstanceOf(OrthException.class)
                .hasMessageContaining("registryValue");
        assertThat(admin.executors.list(null, Long.MAX_VALUE, 10)).isEmpty();
    }

    private void leave(ExecutorGroup whose) {
        admin.executors.leaveForeign(whose.id(), ADDRESS + "/", InetAddress.getLoopbackAddress());
    }

    // --- outages

    @Test
    @Tag("must-first")
    void declaresNoneDeadForAWhileWhenMostFallSilentTogether() {
        List<Target> silent = executorsSilentFor(SILENCE.plusSeconds(1), 3);
        Target alive = admin.foreignExecutor(group, ADDRESS);

        sweep();
        silent.forEach(
                executor -> admin.silence(executor, SILENCE.plus(OUTAGE_GRACE).minusSeconds(40)));
        sweep();

        assertThat(silent)
                .allSatisfy(
                        executor -> assertThat(admin.executorStatus(executor)).isEqualTo("ONLINE"));
        assertThat(notified)
                .containsExactly(
                        "SUSPECTED: XXL_JOB: 3 of 4 XXL-JOB executors stopped sending heartbeats at the same time; none is declared"
                                + " dead before 150 s of silence");
        assertThat(admin.systemLog.lines())
                .contains("ERROR %s. Check the network between executors and admins."
                        .formatted(notified.get(0).substring("SUSPECTED: XXL_JOB: ".length())));
        assertThat(suspected()).isEqualTo(3);

        silent.forEach(
                executor -> admin.silence(executor, SILENCE.plus(OUTAGE_GRACE).plusSeconds(1)));
        sweep();
        sweep();

        assertThat(silent)
                .allSatisfy(
                        executor -> assertThat(admin.executorStatus(executor)).isEqualTo("DEAD"));
        assertThat(admin.executorStatus(alive)).isEqualTo("ONLINE");
        assertThat(suspected()).isZero();
        assertThat(notified).hasSize(2).last().asString().startsWith("DECLARED_DEAD: XXL_JOB: 3 XXL-JOB executors");
    }

    /** They register every 30 seconds, so their last registrations were up to that long apart. */
    @Test
    @Tag("must-first")
    void doesNotDeclareTheFirstDeadOfThoseThatFallSilentTogether() {
        Target first = executorsSilentFor(SILENCE.plusSeconds(1), 1).get(0);
        executorsSilentFor(SILENCE.minusSeconds(25), 2);
        admin.foreignExecutor(group, ADDRESS);

        sweep();

        assertThat(admin.executorStatus(first)).isEqualTo("ONLINE");
        assertThat(suspected()).isEqualTo(3);
    }

    @Test
    @Tag("must-first")
    void executorsOfTheOtherKindDoNotCount() {
        List<Target> silent = executorsSilentFor(SILENCE.plusSeconds(1), 2);
        for (int i = 1; i <= 3; i++) {
            admin.executor(group, "ours-" + i, "http://127.0.0.1:" + (9100 + i));
        }

        sweep();

        assertThat(silent)
                .as("two are too few to tell an outage")
                .allSatisfy(
                        executor -> assertThat(admin.executorStatus(executor)).isEqualTo("DEAD"));
        assertThat(suspected()).isZero();
    }

    private List<Target> executorsSilentFor(Duration silence, int count) {
        List<Target> executors = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Target executor = admin.foreignExecutor(group, "http://127.0.0.1:" + ports.incrementAndGet());
            admin.silence(executor, silence);
            executors.add(executor);
        }
        return executors;
    }

    private double suspected() {
        return metrics.get("orth.executor.outage.suspected")
                .tag("kind", "XXL_JOB")
                .gauge()
                .value();
    }

    private Pass sweep() {
        return new ForeignSweeper(admin.executors, liveness, SILENCE, guard).run();
    }
}
