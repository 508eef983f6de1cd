package io.orth.admin.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.orth.admin.AdminFixture;
import io.orth.admin.kernel.Liveness;
import io.orth.protocol.HeartbeatRule;
import io.orth.runtime.Duty.Pass;
import io.orth.runtime.Threads;
import io.orth.testkit.ManualClock;
import io.orth.testkit.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RegistrySweeperDbTest {

    private static final HeartbeatRule RULE = HeartbeatRule.DEFAULT;
    private static final Duration SILENCE = RULE.timeout();
    /** For executors that are heard of however long a test takes. */
    private static final Duration HEARD = Duration.ofHours(-1);

    private static final Duration OUTAGE_GRACE = Duration.ofSeconds(60);
    private static final Duration WELL_FOR = Duration.ofSeconds(10);

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private final ManualClock clock = ManualClock.at("2030-01-01T12:00:00Z");
    private final ExecutorService threads = Threads.pool("test-probe", 32);
    private final AtomicInteger ports = new AtomicInteger();
    private final Set<String> probed = ConcurrentHashMap.newKeySet();
    private AdminFixture admin;
    private ExecutorGroup group;
    private Liveness liveness;
    private final List<String> notified = new ArrayList<>();
    private int failingNotifications;
    private OutageGuard guard;
    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();

    @BeforeEach
    void setUp() {
        admin = AdminFixture.onEmptied(db);
        group = admin.group("group");
        liveness = new Liveness("lease", WELL_FOR, Duration.ofHours(1), clock.ticker()::getAsLong);
        clock.advance(WELL_FOR);
        guard = guard(RULE).register(metrics);
    }

    @AfterEach
    void tearDown() {
        threads.shutdownNow();
    }

    @Test
    void declaresSilentUnresponsiveExecutorDead() throws Exception {
        Target executor = silentExecutor("instance", 1);

        sweeper(target -> false).run();

        assertThat(admin.executorStatus(executor)).isEqualTo("DEAD");
        assertThat(admin.journalOf(executor)).endsWith("ONLINE->DEAD SILENT");
        assertThat(admin.systemLog.lines())
                .endsWith("WARN executor at %s is dead: it went away without a word [instance]"
                        .formatted(executor.address()));
    }

    @Test
    void keepsExecutorThatAnswersProbe() throws Exception {
        Target executor = silentExecutor("instance", 1);

        sweeper(target -> true).run();

        assertThat(admin.executorStatus(executor)).isEqualTo("ONLINE");
        assertThat(probed).containsExactly("instance");
    }

    @Test
    void doesNotProbeHeartbeatingExecutor() throws Exception {
        Target executor = admin.executor(group, "instance", "http://127.0.0.1:1");
        admin.silence(executor, SILENCE.minusSeconds(5));

        sweeper(target -> false).run();

        assertThat(admin.executorStatus(executor)).isEqualTo("ONLINE");
        assertThat(probed).isEmpty();
    }

    /**
     * Admins may differ for a while, for example during a rollout of a new timeout: the executor starts work as long as
     * its admin allowed.
     */
    @Test
    @Tag("must-kernel")
    void respectsLongerHeartbeatTimeoutOfAnotherAdmin() throws Exception {
        Target executor = silentExecutor("instance", 1);
        admin.jdbc
                .sql("update orth_executor set heartbeat_timeout_ms = 3600000")
                .update();

        sweeper(target -> false).run();
        assertThat(admin.executorStatus(executor)).isEqualTo("ONLINE");

        admin.register(group, "instance", executor.address(), false);
        admin.silence(executor, SILENCE.plusSeconds(1));
        sweeper(target -> false).run();
        assertThat(admin.executorStatus(executor))
                .as("this admin replied last, with the shorter timeout")
                .isEqualTo("DEAD");
    }

    @Test
    void ignoresOfflineExecutors() throws Exception {
        Target executor = silentExecutor("instance", 1);
        admin.jdbc.sql("update orth_executor set status = 'OFFLINE'").update();

        sweeper(target -> false).run();

        assertThat(admin.executorStatus(executor)).isEqualTo("OFFLINE");
        assertThat(probed).isEmpty();
    }

    @Test
    void heartbeatDuringProbeKeepsExecutorOnline() throws Exception {
        Target executor = silentExecutor("instance", 1);

        sweeper(target -> {
                    admin.register(group, "instance", target.address(), false);
                    return false;
                })
                .run();

        assertThat(admin.executorStatus(executor)).isEqualTo("ONLINE");
        assertThat(admin.journalOf(executor)).hasSize(1);
    }

    @Test
    void declaresNoExecutorDeadWhileThisNodeIsUnhealthy() throws Exception {
        Target executor = silentExecutor("instance", 1);
        liveness.failed("lease", 1, new IllegalStateException("no database"));

        sweeper(target -> false).run();

        assertThat(admin.executorStatus(executor)).isEqualTo("ONLINE");
        assertThat(probed).isEmpty();
    }

    @Test
    void declaresNoExecutorDeadIfThisNodeFailsDuringTheProbe() throws Exception {
        Target executor = silentExecutor("instance", 1);

        sweeper(target -> {
                    liveness.failed("lease", 1, new IllegalStateException("no database"));
                    return false;
                })
                .run();

        assertThat(admin.executorStatus(executor)).isEqualTo("ONLINE");
    }

    @Test
    void failedProbeDoesNotAffectOtherExecutors() throws Exception {
        Target dead = silentExecutor("dead", 1);
        Target alive = silentExecutor("alive", 2);

        sweeper(target -> target.instanceId().equals("alive")).run();

        assertThat(admin.executorStatus(dead)).isEqualTo("DEAD");
        assertThat(admin.executorStatus(alive)).isEqualTo("ONLINE");
    }

    @Test
    void processesOneBatchPerPass() throws Exception {
        for (int i = 1; i <= 40; i++) {
            silentExecutor("instance-" + i, i);
        }
        RegistrySweeper sweeper = sweeper(target -> false);

        assertThat(sweeper.run()).isEqualTo(Pass.MORE);
        assertThat(online()).isEqualTo(8);
        assertThat(sweeper.run()).isEqualTo(Pass.DRAINED);
        assertThat(online()).isZero();
    }

    @Test
    void findsSilentExecutorAmongManyThatAnswer() throws Exception {
        Target dead = null;
        for (int i = 1; i <= 40; i++) {
            Target executor = silentExecutor("instance-" + i, i);
            dead = i == 40 ? executor : dead;
        }
        admin.silence(dead, SILENCE.plus(OUTAGE_GRACE).plusSeconds(5));
        RegistrySweeper sweeper = sweeper(target -> !target.instanceId().equals("instance-40"));

        sweeper.run();
        sweeper.run();

        assertThat(admin.executorStatus(dead)).isEqualTo("DEAD");
    }

    // --- outages

    @Test
    @Tag("must-first")
    void declaresNoExecutorDeadForAWhileWhenMostFallSilentTogether() throws Exception {
        List<Target> silent = executorsSilentFor(SILENCE.plusSeconds(1), "a", "b", "c");
        Target alive = executorsSilentFor(HEARD, "alive").get(0);
        RegistrySweeper sweeper = sweeper(target -> false);

        sweeper.run();
        silent.forEach(
                executor -> admin.silence(executor, SILENCE.plus(OUTAGE_GRACE).minusSeconds(40)));
        sweeper.run();

        assertThat(probed).isEmpty();
        assertThat(online()).isEqualTo(4);
        assertThat(outageLines())
                .containsExactly(
                        "ERROR 3 of 4 Orth executors stopped sending heartbeats at the same time; none is declared dead before"
                                + " 75 s of silence. Check the network between executors and admins.");
        assertThat(suspected()).isEqualTo(3);

        silent.forEach(
                executor -> admin.silence(executor, SILENCE.plus(OUTAGE_GRACE).plusSeconds(1)));
        sweeper.run();

        assertThat(silent)
                .allSatisfy(
                        executor -> assertThat(admin.executorStatus(executor)).isEqualTo("DEAD"));
        assertThat(admin.executorStatus(alive)).isEqualTo("ONLINE");

        sweeper.run();

        assertThat(suspected()).isZero();
        assertThat(notified)
                .hasSize(2)
                .last()
                .isEqualTo("DECLARED_DEAD: ORTH: 3 Orth executors were declared dead during the suspected outage;"
                        + " their work is released");
        assertThat(admin.systemLog.lines())
                .endsWith(
                        "WARN 3 Orth executors were declared dead during the suspected outage; their work is released")
                .noneMatch(line -> line.contains("at most half"));
    }

    /** Their last heartbeats were up to an interval apart. */
    @Test
    @Tag("must-first")
    void doesNotDeclareTheFirstDeadOfThoseThatFallSilentTogether() throws Exception {
        executorsSilentFor(SILENCE.plusSeconds(1), "first");
        executorsSilentFor(SILENCE.minusSeconds(4), "second", "third");
        executorsSilentFor(HEARD, "alive");

        sweeper(target -> false).run();

        assertThat(online()).isEqualTo(4);
        assertThat(suspected()).isEqualTo(3);
    }

    @Test
    @Tag("must-first")
    void declaresASingleExecutorDeadWithoutDelay() throws Exception {
        Target dead = executorsSilentFor(SILENCE.plusSeconds(1), "dead").get(0);
        executorsSilentFor(HEARD, "a", "b", "c");

        sweeper(target -> false).run();

        assertThat(admin.executorStatus(dead)).isEqualTo("DEAD");
        assertThat(suspected()).isZero();
    }

    @Test
    @Tag("must-first")
    void declaresTheOnlyTwoExecutorsDeadWithoutDelay() throws Exception {
        executorsSilentFor(SILENCE.plusSeconds(1), "a", "b");

        sweeper(target -> false).run();

        assertThat(online()).isZero();
        assertThat(suspected()).isZero();
    }

    @Test
    @Tag("must-first")
    void suspectsNoOutageAnyMoreWhenExecutorsAreHeardAgain() throws Exception {
        List<Target> silent = executorsSilentFor(SILENCE.plusSeconds(1), "a", "b", "c");
        RegistrySweeper sweeper = sweeper(target -> false);
        sweeper.run();
        silent.forEach(executor -> admin.silence(executor, HEARD));

        sweeper.run();

        assertThat(suspected()).isZero();
        assertThat(online()).isEqualTo(3);
        assertThat(outageLines())
                .endsWith("INFO at most half of the Orth executors online miss heartbeats")
                .hasSize(2);
        assertThat(notified)
                .satisfiesExactly(
                        first -> assertThat(first)
                                .startsWith("SUSPECTED: ORTH: 3 of 3 Orth executors stopped sending heartbeats"),
                        last -> assertThat(last).startsWith("RESOLVED: ORTH: at most half"));
    }

    @Test
    @Tag("must-first")
    void failedNotificationIsRepeatedInTheNextPass() throws Exception {
        executorsSilentFor(SILENCE.plusSeconds(1), "a", "b", "c");
        Target dead = executorsSilentFor(SILENCE.plus(OUTAGE_GRACE).plusSeconds(1), "dead")
                .get(0);
        RegistrySweeper sweeper = sweeper(target -> false);
        failingNotifications = 1;

        sweeper.run();
        assertThat(admin.executorStatus(dead)).isEqualTo("DEAD");
        assertThat(notified).isEmpty();
        sweeper.run();
        sweeper.run();

        assertThat(notified).singleElement().asString().startsWith("SUSPECTED: ORTH: 4 of 4 Orth executors");
        assertThat(outageLines()).hasSize(1);
    }

    /** They miss heartbeats for a moment only, and none would be declared dead. */
    @Test
    @Tag("must-first")
    void suspectsNoOutageWhileNoneHasBeenSilentForLong() throws Exception {
        Duration silence = Duration.ofMinutes(10);
        HeartbeatRule rule = new HeartbeatRule(Duration.ofSeconds(5), silence);
        guard = guard(rule);
        executorsSilentFor(silence.minusMinutes(4), "a", "b", "c");

        sweeper(target -> false).run();

        assertThat(guard.requiredSilence()).isEqualTo(silence);
        assertThat(outageLines()).isEmpty();
    }

    private List<Target> executorsSilentFor(Duration silence, String... instances) {
        List<Target> executors = new ArrayList<>();
        for (String instance : instances) {
            Target executor = admin.executor(group, instance, "http://127.0.0.1:" + (100 + ports.incrementAndGet()));
            admin.silence(executor, silence);
            executors.add(executor);
        }
        return executors;
    }

    private OutageGuard guard(HeartbeatRule rule) {
        return OutageGuard.orth(admin.executors, rule, OUTAGE_GRACE, admin.systemLog, this::note);
    }

    private void note(ExecutorKind kind, OutageListener.Change change, String text) {
        if (failingNotifications > 0) {
            failingNotifications--;
            throw new IllegalStateException("no database");
        }
        notified.add("%s: %s: %s".formatted(change, kind, text));
    }

    private List<String> outageLines() {
        return admin.systemLog.lines().stream()
                .filter(line -> line.contains("heartbeats"))
                .toList();
    }

    private double suspected() {
        return metrics.get("orth.executor.outage.suspected")
                .tag("kind", "ORTH")
                .gauge()
                .value();
    }

    @Test
    void internalErrorDeclaresNoExecutorDead() {
        Target executor = silentExecutor("instance", 1);

        assertThatThrownBy(() -> sweeper(target -> {
                            throw new IllegalStateException("a bug");
                        })
                        .run())
                .hasRootCauseMessage("a bug");

        assertThat(admin.executorStatus(executor)).isEqualTo("ONLINE");
    }

    private Target silentExecutor(String instance, int port) {
        Target executor = admin.executor(group, instance, "http://127.0.0.1:" + port);
        admin.silence(executor, SILENCE.plus(OUTAGE_GRACE).plusSeconds(45));
        return executor;
    }

    private RegistrySweeper sweeper(Probe probe) {
        Probe noted = target -> {
            probed.add(target.instanceId());
            return probe.answers(target);
        };
        return new RegistrySweeper(admin.executors, noted, threads, liveness, guard);
    }

    private int online() {
        return admin.executors.online(List.of(group.id())).values().stream()
                .mapToInt(List::size)
                .sum();
    }
}
