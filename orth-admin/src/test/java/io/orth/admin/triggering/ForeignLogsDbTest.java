package io.orth.admin.triggering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.admin.AdminFixture;
import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.registry.ExecutorGroup;
import io.orth.admin.registry.Target;
import io.orth.admin.run.Run;
import io.orth.admin.triggering.FakeXxlExecutor.Generation;
import io.orth.protocol.CallbackItem;
import io.orth.protocol.LogRange;
import io.orth.testkit.ManualClock;
import io.orth.testkit.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Logs of XXL-JOB executors, read by line. */
@Tag("must-runs")
class ForeignLogsDbTest {

    private static final Duration EVERY = Duration.ofSeconds(3);
    private static final int BYTES = 1_000;

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private final ManualClock clock = ManualClock.at("2030-01-01T12:00:00Z");
    private FakeXxlExecutor executor = new FakeXxlExecutor(Generation.W2);
    private AdminFixture admin;
    private ExecutorGroup group;
    private RunLogs logs;

    @BeforeEach
    void setUp() {
        admin = AdminFixture.onEmptied(db);
        group = admin.group("group");
        logs = new RunLogs(
                admin.executors,
                TriggersFixture.gateway(Duration.ofSeconds(5)),
                new ForeignLogs(TriggersFixture.foreign(Duration.ofSeconds(5)), EVERY, clock.ticker()::getAsLong));
    }

    @AfterEach
    void tearDown() {
        executor.close();
    }

    @ParameterizedTest
    @EnumSource
    void readsLogByLineInBothGenerations(Generation generation) throws Exception {
        executor.close();
        executor = new FakeXxlExecutor(generation);
        executor.print("one", "two", "three");
        Run run = endedRun();

        assertThat(logs.read(run, 0, BYTES)).isEqualTo(new LogRange(true, 0, 3, 3, "one\ntwo\nthree\n"));
        assertThat(logs.read(run, 2, BYTES)).isEqualTo(new LogRange(true, 2, 3, 3, "three\n"));
        assertThat(logs.read(run, 3, BYTES)).isEqualTo(new LogRange(true, 3, 3, 3, ""));
        assertThat(logs.read(run, 99, BYTES).text()).isEmpty();
    }

    @Test
    void requestsLogWithTriggerTime() throws Exception {
        executor.print("one");
        Run run = endedRun();

        logs.read(run, 0, BYTES);

        assertThat(executor.calls())
                .containsExactly("/log {\"logDateTim\":%d,\"logId\":%d,\"fromLineNum\":1}"
                        .formatted(run.logDateTime(), run.id()));
    }

    @Test
    void chunkHasWholeLinesAndAtLeastOne() throws Exception {
        executor.print("äöü", "b", "c");
        Run run = endedRun();

        assertThat(logs.read(run, 0, 4)).isEqualTo(new LogRange(true, 0, 1, 3, "äöü\n"));
        assertThat(logs.read(run, 1, 4)).isEqualTo(new LogRange(true, 1, 3, 3, "b\nc\n"));
    }

    @Test
    void reportsMissingLog() throws Exception {
        executor.loseLog();

        assertThat(logs.read(endedRun(), 0, BYTES)).isEqualTo(new LogRange(false, 0, 0, 0, ""));
    }

    @Test
    void omitsLastLineOfUnfinishedRun() throws Exception {
        executor.print("one", "tw");

        assertThat(logs.read(runUnderWay(), 0, BYTES)).isEqualTo(new LogRange(true, 0, 1, 1, "one\n"));
    }

    @Test
    void readsFollowedLogEveryThreeSeconds() throws Exception {
        executor.print("one", "two");
        try (LiveLog live = follow(0)) {
            assertThat(live.next(Duration.ZERO)).isEmpty();
            clock.advance(EVERY.minusMillis(1));
            assertThat(live.next(Duration.ZERO)).isEmpty();
            assertThat(executor.calls()).isEmpty();

            clock.advance(Duration.ofMillis(1));
            assertThat(live.next(Duration.ZERO)).contains(new LogRange(true, 0, 1, 1, "one\n"));
            assertThat(executor.calls()).hasSize(1);
        }
    }

    @Test
    void passesLineOnWhenUnchanged() throws Exception {
        executor.print("one", "tw");
        try (LiveLog live = follow(1)) {
            assertThat(look(live)).isEmpty();
            executor.rewriteLastLine("two");
            assertThat(look(live)).isEmpty();
            assertThat(look(live)).contains(new LogRange(true, 1, 2, 2, "two\n"));
            assertThat(look(live)).isEmpty();
            executor.print("three", "four");
            assertThat(look(live)).contains(new LogRange(true, 2, 3, 3, "three\n"));
        }
    }

    @Test
    void returnsNextChunkImmediately() throws Exception {
        executor.print("one", "two", "three", "four");
        try (LiveLog live = follow(0, 8)) {
            assertThat(look(live).map(LogRange::text)).contains("one\ntwo\n");
            assertThat(live.next(Duration.ZERO).map(LogRange::text)).contains("three\n");
        }
    }

    @Test
    void sendsKeepAliveForQuietLog() throws Exception {
        try (LiveLog live = follow(0)) {
            for (int i = 0; i < 4; i++) {
                assertThat(look(live)).isEmpty();
            }
            assertThat(look(live).map(LogRange::text)).contains("");
        }
    }

    @Test
    void namesUnreachableExecutor() {
        Run run = endedRun();
        executor.close();

        assertThatThrownBy(() -> logs.read(run, 0, BYTES))
                .isInstanceOfSatisfying(
                        OrthException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.EXECUTOR_UNREACHABLE))
                .hasMessageContaining(executor.address());
    }

    @Test
    void rejectsInvalidLogResponse() {
        for (String answer : List.of(
                "{\"code\":200,\"content\":\"text\"}",
                "{\"code\":200}",
                "{\"code\":500,\"msg\":\"no\"}",
                "{\"code\":200,\"data\":{\"toLineNum\":\"x\"}}",
                "nonsense")) {
            try (RawExecutor odd = new RawExecutor(200, answer)) {
                Run run = admin.pendingRun(group, admin.foreignExecutor(group, odd.address()));

                assertThatThrownBy(() -> logs.read(run, 0, BYTES)).isInstanceOf(OrthException.class);
            }
        }
    }

    @Test
    void abortsEndlessResponse() {
        byte[] endless = new byte[9 * 1024 * 1024];
        try (RawExecutor odd = new RawExecutor(200, endless, null)) {
            Run run = admin.pendingRun(group, admin.foreignExecutor(group, odd.address()));

            assertThatThrownBy(() -> logs.read(run, 0, BYTES)).isInstanceOf(OrthException.class);
        }
    }

    private Optional<LogRange> look(LiveLog live) throws Exception {
        clock.advance(EVERY);
        return live.next(Duration.ZERO);
    }

    private LiveLog follow(long from) throws InterruptedException {
        return follow(from, BYTES);
    }

    private LiveLog follow(long from, int bytes) throws InterruptedException {
        return logs.follow(runUnderWay(), from, bytes).orElseThrow();
    }

    private Run runUnderWay() {
        return admin.pendingRun(group, target());
    }

    private Run endedRun() {
        Run run = admin.pendingRun(group, target());
        admin.callbacks.take(group.id(), List.of(new CallbackItem(run.id(), 0, 200, "", null)));
        return admin.runs.get(run.id());
    }

    private Target target() {
        return admin.foreignExecutor(group, executor.address());
    }
}
