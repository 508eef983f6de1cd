package io.orth.admin.transition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.admin.AdminFixture;
import io.orth.admin.kernel.EntityKind;
import io.orth.admin.kernel.MovedRow;
import io.orth.admin.kernel.StateChange;
import io.orth.admin.registry.ExecutorGroup;
import io.orth.admin.registry.Target;
import io.orth.admin.run.Run;
import io.orth.admin.transition.RelayFixture.Remembering;
import io.orth.protocol.CallbackItem;
import io.orth.protocol.ClaimedMessage;
import io.orth.protocol.MessageResult;
import io.orth.protocol.StateTransition;
import io.orth.runtime.Duty;
import io.orth.runtime.Duty.Pass;
import io.orth.runtime.LoopObserver;
import io.orth.runtime.LoopTiming;
import io.orth.runtime.PeriodicLoop;
import io.orth.testkit.ManualClock;
import io.orth.testkit.TestDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The relay delivers each transition to each sink at least once, in order per entity, despite failures of nodes and sinks. */
@Tag("must-transitions")
@Timeout(60)
class TransitionRelayDbTest {

    @RegisterExtension
    final TestDatabase db = new TestDatabase();

    private final AtomicLong nanos = new AtomicLong();
    private final Remembering first = new Remembering("first");
    private final Remembering second = new Remembering("second");
    private AdminFixture admin;
    private ExecutorGroup group;
    private Target executor;
    private RelayFixture node;

    @BeforeEach
    void setUp() {
        admin = new AdminFixture(db);
        group = admin.group("billing");
        executor = admin.executor(group, "i1", "http://127.0.0.1:9999/");
        node = node("node-a", RelayFixture.PROPERTIES);
    }

    private RelayFixture node(String name, RelayProperties properties) {
        return new RelayFixture(admin, name, properties, nanos::get, first, second);
    }

    private RelayFixture node(ManualClock clock, long holdChanges) {
        RelayProperties properties = RelayFixture.properties(Duration.ofHours(1), Duration.ofHours(1), holdChanges);
        return new RelayFixture(admin, "node-a", properties, nanos::get, clock, first, second);
    }

    private Run successfulRun() {
        Run run = admin.pendingRun(group, executor);
        admin.callbacks.take(group.id(), List.of(new CallbackItem(run.id(), 0, 200, "", executor.instanceId())));
        return run;
    }

    private void append(long id, int... sequences) {
        admin.transactions.run(() -> admin.journal.append(changes(id, sequences)));
    }

    /** Writes one batch with the first transition of {@code count} runs. */
    private void appendMany(long firstId, int count) {
        admin.transactions.run(() -> admin.journal.append(LongStream.range(firstId, firstId + count)
                .mapToObj(id -> changes(id, 1).get(0))
                .toList()));
    }

    private static List<StateChange> changes(long id, int... sequences) {
        return IntStream.of(sequences)
                .mapToObj(sequence -> new StateChange(
                        EntityKind.RUN,
                        new MovedRow(id, sequence, null, Instant.now(), 1, null, null),
                        sequence == 1 ? null : "BEFORE",
                        "AFTER",
                        "TEST"))
                .toList();
    }

    /** Transitions of messages are stored in batches; sinks receive each one. */
    @Test
    @Tag("must-queues")
    void sinksReceiveEachTransitionOfBatch() throws Exception {
        List<Long> pushed = admin.queues.pushMany("emails", 3);
        List<ClaimedMessage> claimed = admin.queues.claim("emails", executor.executorId(), 2);
        admin.queues.report(
                "emails",
                executor.executorId(),
                claimed.stream()
                        .map(message -> new MessageResult(message.id(), message.logId(), 200, null, false, null, 5))
                        .toArray(MessageResult[]::new));

        node.relay();

        for (Remembering sink : List.of(first, second)) {
            assertThat(sink.sequences().get("MESSAGE " + pushed.get(0))).containsExactly(1, 2, 3);
            assertThat(sink.sequences().get("MESSAGE " + pushed.get(1))).containsExactly(1, 2, 3);
            assertThat(sink.sequences().get("MESSAGE " + pushed.get(2))).containsExactly(1);
        }
        StateTransition end = first.told.stream()
                .map(RelayedTransition::transition)
                .filter(t -> t.entityId() == pushed.get(1) && t.sequence() == 3)
                .findFirst()
                .orElseThrow();
        assertThat(end.from()).isEqualTo("RUNNING");
        assertThat(end.to()).isEqualTo("DONE");
        assertThat(end.cause()).isEqualTo("COMPLETED");
        assertThat(end.millisInFrom()).isNotNegative();
        assertThat(end.work().queue()).isEqualTo("emails");
    }

    @Test
    void sinksReceiveAllTransitionsInOrderWithFacts() throws Exception {
        Run run = successfulRun();

        node.relay();

        for (Remembering sink : List.of(first, second)) {
            assertThat(sink.sequences().get("RUN " + run.id())).containsExactly(1, 2, 3);
            assertThat(sink.sequences().get("EXECUTOR " + executor.executorId()))
                    .containsExactly(1);
        }
        StateTransition end = first.told.stream()
                .map(RelayedTransition::transition)
                .filter(t -> t.entityId() == run.id() && t.sequence() == 3)
                .findFirst()
                .orElseThrow();
        assertThat(end.from()).isEqualTo("PENDING");
        assertThat(end.to()).isEqualTo("SUCCESS");
        assertThat(end.cause()).isEqualTo("CALLBACK");
        assertThat(end.millisInFrom()).isNotNegative();
        assertThat(end.traceId()).isEqualTo("trace");
        assertThat(end.work()).isEqualTo(new StateTransition.Work(1, "job", "handler", group.id(), null, run.id()));
        assertThat(end.writer())
                .isEqualTo(new StateTransition.Writer(
                        admin.node.id(),
                        "test-host",
                        1,
                        "test",
                        Thread.currentThread().getName()));
        assertThat(end.executor())
                .isEqualTo(
                        new StateTransition.Executor(executor.executorId(), "i1", "host", 7, "http://127.0.0.1:9999"));
    }

    @Test
    void relaysOwnTransitionsFromMemoryAsStored() throws Exception {
        successfulRun();
        node.relay();
        List<RelayedTransition> stored = first.told;

        admin.jdbc.sql("delete from orth_transition").update();
        TransitionFeed ofWriter = new TransitionFeed(new JournalRepository(admin.jdbc), admin.journal.rows());

        assertThat(ofWriter.after(0, 100).transitions()).isEqualTo(stored).hasSize(4);
    }

    @Test
    void doesNotRepeatDeliveredTransitions() throws Exception {
        successfulRun();
        node.relay();
        int told = first.told.size();

        node.relay();
        Run run = successfulRun();
        node.relay();

        assertThat(first.told).hasSize(told + 3);
        assertThat(first.sequences().get("RUN " + run.id())).containsExactly(1, 2, 3);
    }

    @Test
    void relaysNothingOfRolledBackTransaction() throws Exception {
        Run run = admin.pendingRun(group, executor);
        assertThatThrownBy(() -> admin.transactions.run(() -> {
                    admin.callbacks.take(
                            group.id(), List.of(new CallbackItem(run.id(), 0, 200, "", executor.instanceId())));
                    throw new IllegalStateException("the user's own transaction fails");
                }))
                .hasMessage("the user's own transaction fails");
        admin.callbacks.take(group.id(), List.of(new CallbackItem(run.id(), 0, 500, "", executor.instanceId())));

        node.relay();

        assertThat(first.told)
                .filteredOn(t -> t.transition().entityId() == run.id())
                .extracting(t -> t.transition().to())
                .containsExactly("INIT", "PENDING", "FAILED");
        assertThat(admin.journalOf(run)).hasSize(3);
    }

    /** Batch numbers are assigned before the commit, so a late commit has a lower number than delivered transitions. */
    @Test
    void relaysLateCommitLate() throws Exception {
        CountDownLatch written = new CountDownLatch(1);
        CountDownLatch commit = new CountDownLatch(1);
        Thread late = new Thread(() -> admin.transactions.run(() -> {
            admin.journal.append(changes(1, 1));
            written.countDown();
            await(commit);
        }));
        late.start();
        await(written);
        append(2, 1);
        node.relay();
        assertThat(first.sequences()).containsKey("RUN 2").doesNotContainKey("RUN 1");

        commit.countDown();
        late.join();
        append(1, 2);
        node.relay();

        assertThat(first.sequences().get("RUN 1")).containsExactly(1, 2);
        assertThat(first.told).extracting(RelayedTransition::position).isSorted();
    }

    /** The second transaction to change the run started and wrote first, so neither batch number nor transaction id gives the order. */
    @Test
    void keepsOrderPerEntityAcrossTransactions() throws Exception {
        Run run = admin.unsentRun(group);
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Thread second = new Thread(() -> admin.transactions.run(() -> {
            admin.journal.append(changes(77, 1));
            begun.countDown();
            await(go);
            admin.jdbc
                    .sql("select id from orth_run where id = :id for update")
                    .param("id", run.id())
                    .query(Long.class)
                    .single();
            admin.journal.append(changes(run.id(), 3));
        }));
        second.start();
        await(begun);
        try (Connection connection = db.dataSource().getConnection()) {
            assertThat(connection.isValid(1)).isTrue();
        }
        admin.transactions.run(() -> {
            admin.jdbc
                    .sql("select id from orth_run where id = :id for update")
                    .param("id", run.id())
                    .query(Long.class)
                    .single();
            go.countDown();
            admin.journal.append(changes(run.id(), 2));
        });
        second.join();

        node.relay();

        assertThat(first.sequences().get("RUN " + run.id())).containsExactly(1, 2, 3);
    }

    @Test
    void limitsTransitionsPerBatch() throws Exception {
        admin.transactions.run(() -> admin.journal.append(IntStream.rangeClosed(1, 2_500)
                .mapToObj(id -> changes(id, 1).get(0))
                .toList()));

        node.relay();
        node.relay();

        assertThat(first.sequences()).hasSizeGreaterThanOrEqualTo(2_500);
        assertThat(admin.jdbc
                        .sql("select max(changes) from orth_journal")
                        .query(Integer.class)
                        .single())
                .isEqualTo(TransitionJournal.MOST_AT_ONCE);
    }

    @Test
    void failingSinkKeepsPositionAndDelaysNoOther() throws Exception {
        first.failure = new IllegalStateException("no room");
        append(1, 1);
        node.relay.run();
        assertThatThrownBy(() -> node.feeders.get(0).run()).hasMessage("no room");
        node.feeders.get(1).run();
        append(1, 2);
        node.relay.run();
        assertThatThrownBy(() -> node.feeders.get(0).run()).hasMessage("no room");
        node.feeders.get(1).run();

        assertThat(second.sequences().get("RUN 1")).containsExactly(1, 2);
        assertThat(state("first"))
                .satisfies(sink -> assertThat(sink.failedInRow()).isEqualTo(2))
                .satisfies(sink -> assertThat(sink.lastError()).isEqualTo("no room"))
                .satisfies(sink -> assertThat(sink.parkedSince()).isNotNull());
        assertThat(state("second").parkedSince()).isNull();

        first.failure = null;
        node.relay();

        assertThat(first.sequences().get("RUN 1")).containsExactly(1, 2);
        assertThat(state("first").parkedSince()).isNull();
        assertThat(state("first").failures()).isEqualTo(2);
    }

    @Test
    void nextNodeContinuesWherePreviousStopped() throws Exception {
        RelayFixture other = node("node-b", RelayFixture.PROPERTIES);
        append(1, 1);
        node.relay();
        other.relay();
        assertThat(first.sequences().get("RUN 1")).containsExactly(1);

        node.relay.ended();
        append(1, 2);
        other.relay();
        node.relay();

        assertThat(first.sequences().get("RUN 1")).containsExactly(1, 2);
        assertThat(first.terms).containsExactly(1L, 2L);
    }

    @Test
    void staleLeaseHolderDoesNoHarm() throws Exception {
        append(1, 1);
        node.relay.run();
        expire();
        RelayFixture other = node("node-b", RelayFixture.PROPERTIES);
        append(1, 2);
        other.relay();
        long position = state("first").position();
        int told = first.told.size();

        node.feeders.get(0).run();
        assertThat(state("first").position())
                .as("it believes to have the lease, and repeats at most")
                .isEqualTo(position);
        nanos.addAndGet(Duration.ofSeconds(6).toNanos());
        node.relay();
        append(1, 3);
        node.relay();
        assertThat(first.told.subList(told, first.told.size()))
                .as("it knows by its own clock")
                .allMatch(t -> t.transition().sequence() <= 2);
        other.relay();
        assertThat(first.sequences().get("RUN 1")).endsWith(3);
    }

    @Test
    void holderStalledInEmitRecordsNothing() throws Exception {
        append(1, 1);
        RelayFixture other = node("node-b", RelayFixture.PROPERTIES);
        TransitionSink asleep = new TransitionSink() {
            @Override
            public String name() {
                return first.name();
            }

            @Override
            public void emit(long term, List<RelayedTransition> transitions) throws Exception {
                expire();
                append(1, 2);
                other.relay();
            }
        };
        RelayFixture sleeper = new RelayFixture(admin, "node-c", RelayFixture.PROPERTIES, nanos::get, asleep);

        sleeper.relay.run();
        sleeper.feeders.get(0).run();

        assertThat(first.sequences().get("RUN 1")).containsExactly(1, 2);
        assertThat(state("first").emitted()).isEqualTo(first.told.size());
    }

    @Test
    void dropsOldTransitionsOfFailingSink() throws Exception {
        ManualClock clock = ManualClock.at(Instant.now());
        node = node(clock, 1_000);
        first.failure = new IllegalStateException("gone");
        node.relay.run();
        append(1, 1);
        append(2, 1);
        node.relay.run();
        assertThatThrownBy(() -> node.feeders.get(0).run()).hasMessage("gone");
        node.feeders.get(1).run();
        admin.jdbc
                .sql("update orth_journal set written_at = now() - interval '2 hours' where position is not null")
                .update();
        append(3, 1);
        clock.advance(Duration.ofMinutes(2));
        node.relay.run();

        assertThat(state("first").dropped()).isPositive();
        first.failure = null;
        node.relay();
        assertThat(first.sequences()).containsOnlyKeys("RUN 3");
        assertThat(state("second").dropped()).as("it did not fail").isZero();
        assertThat(second.sequences()).containsKeys("RUN 1", "RUN 2", "RUN 3");
    }

    @Test
    @Tag("must-first")
    void dropsExcessTransitionsOfSinkFailingForOneMinute() throws Exception {
        ManualClock clock = ManualClock.at(Instant.now());
        node = node(clock, 3);
        node.relay();
        int before = first.told.size();
        first.failure = new IllegalStateException("gone");
        for (int i = 1; i <= 5; i++) {
            append(i, 1);
        }
        node.relay.run();
        assertThatThrownBy(() -> node.feeders.get(0).run()).hasMessage("gone");
        clock.advance(Duration.ofSeconds(30));
        node.relay.run();
        assertThat(state("first").dropped()).as("it may recover").isZero();

        clock.advance(Duration.ofSeconds(90));
        node.relay.run();

        assertThat(state("first").dropped()).isEqualTo(2);
        first.failure = null;
        node.relay();
        assertThat(first.told.subList(before, first.told.size()))
                .extracting(t -> t.transition().entityId())
                .containsExactly(3L, 4L, 5L);
    }

    /** The sink lags and its backlog exceeds the limits, but it accepts each batch. */
    @Test
    @Tag("must-first")
    void dropsNothingForSlowSink() throws Exception {
        node = node("node-a", RelayFixture.properties(Duration.ofHours(1), Duration.ofHours(1), 3));
        node.relay();
        for (int i = 1; i <= 8; i++) {
            appendMany(i * 1_000L, 900);
        }
        node.relay.run();
        for (int pass = 0; pass < 4; pass++) {
            node.feeders.get(0).run();
            node.relay.run();
        }

        assertThat(state("first").dropped()).isZero();
        assertThat(first.sequences().keySet()).hasSizeGreaterThanOrEqualTo(8 * 900);
    }

    /** The last delivery was just now; the takeover and the oldest undelivered transition are minutes old. */
    @Test
    @Tag("must-first")
    void keepsEverythingForASlowSinkLongAfterTheTakeover() throws Exception {
        ManualClock clock = ManualClock.at(Instant.now().minus(Duration.ofMinutes(5)));
        node = node(clock, 3);
        node.relay();
        for (int i = 1; i <= 4; i++) {
            appendMany(i * 1_000L, 900);
        }
        node.relay.run();
        admin.jdbc
                .sql("update orth_journal set written_at = now() - interval '5 minutes'")
                .update();
        admin.jdbc
                .sql("update orth_sink set emitted_at = now() - interval '5 minutes'")
                .update();
        node.feeders.get(0).run();
        clock.advance(Duration.ofMinutes(5));
        node.relay.run();
        node.feeders.get(0).run();

        assertThat(state("first").dropped()).isZero();
        assertThat(state("second").dropped()).as("it took nothing").isPositive();
        assertThat(first.sequences().keySet()).hasSizeGreaterThanOrEqualTo(4 * 900);
    }

    @Test
    @Tag("must-first")
    void dropsNothingWhileTheInstallationIsPaused() throws Exception {
        ManualClock clock = ManualClock.at(Instant.now());
        node = node(clock, 3);
        node.relay();
        for (int i = 1; i <= 5; i++) {
            append(i, 1);
        }
        node.paused = true;
        clock.advance(Duration.ofMinutes(10));
        node.relay.run();
        assertThat(state("first").dropped()).isZero();

        node.paused = false;
        clock.advance(Duration.ofSeconds(30));
        node.relay.run();
        assertThat(state("first").dropped()).as("it may take them yet").isZero();

        clock.advance(Duration.ofMinutes(1));
        node.relay.run();
        assertThat(state("first").dropped()).as("it hangs").isEqualTo(2);
    }

    @Test
    @Tag("must-first")
    void dropsTransitionsOfHangingSinkAfterOneMinute() throws Exception {
        ManualClock clock = ManualClock.at(Instant.now());
        node = node(clock, 3);
        node.relay();
        for (int i = 1; i <= 5; i++) {
            append(i, 1);
        }
        clock.advance(Duration.ofSeconds(1));
        node.relay.run();
        node.relay.run();
        assertThat(state("first").dropped()).as("it may take them yet").isZero();

        clock.advance(Duration.ofMinutes(2));
        node.relay.run();

        assertThat(state("first").dropped()).isEqualTo(2);
    }

    /** Batches of 900 do not add up to the limit of 2,000 per read, so every read is cut. */
    @Test
    @Tag("must-first")
    void feedsSinkUntilNothingIsLeft() throws Exception {
        for (int i = 1; i <= 12; i++) {
            appendMany(i * 1_000L, 900);
        }
        node.relay.run();

        int passes = 1;
        while (node.feeders.get(0).run() == Pass.MORE) {
            passes++;
        }

        assertThat(passes).isEqualTo(6);
        assertThat(first.sequences().keySet()).hasSizeGreaterThanOrEqualTo(12 * 900);
        assertThat(state("first").position()).isEqualTo(node.feed.head());
    }

    /** Relay and feeder run as loops, as in an admin, with a file sink, while transitions are written. */
    @Test
    @Tag("must-first")
    void catchesUpWithinTenSecondsAfterDrain(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("transitions.jsonl");
        FileSink sink = new FileSink(new RotatingFile(file, 1L << 30, 2));
        RelayFixture loops = new RelayFixture(admin, "node-b", RelayFixture.PROPERTIES, System::nanoTime, sink);
        PeriodicLoop feeder = loop(loops.feeders.get(0), Duration.ofSeconds(1));
        PeriodicLoop relay = loop(loops.relay, Duration.ofSeconds(2));
        loops.onPositions = feeder::wake;
        relay.start();
        feeder.start();
        try {
            Awaitility.await()
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> loops.sinks.list().stream()
                            .anyMatch(entered -> entered.name().equals(sink.name())));
            for (int i = 1; i <= 60; i++) {
                appendMany(i * 1_000L, 900);
            }

            Awaitility.await()
                    .atMost(Duration.ofSeconds(10))
                    .until(() -> !loops.journal.anyFresh()
                            && loops.sinks.list().get(0).position() == loops.journal.head());
        } finally {
            feeder.stop(Duration.ofSeconds(10));
            relay.stop(Duration.ofSeconds(10));
        }
        assertThat(Files.readAllLines(file))
                .filteredOn(line -> line.contains("\"RUN\""))
                .hasSize(60 * 900);
    }

    private static PeriodicLoop loop(Duty duty, Duration interval) {
        return new PeriodicLoop("test", LoopTiming.every(interval), duty, new Unobserved(), Clock.systemUTC());
    }

    /** The sink works on one batch for longer than a sink may make no progress, and its backlog exceeds the limits. */
    @Test
    @Tag("must-first")
    void dropsNothingForSinkThatTakesMinutes() throws Exception {
        Slow slow = new Slow(Duration.ofMinutes(9));
        slow.run();

        assertThat(slow.state().dropped()).isZero();
        assertThat(slow.state().emitted()).isPositive();
    }

    @Test
    @Tag("must-first")
    void sinkWithoutProgressForTenMinutesHangs() throws Exception {
        Slow slow = new Slow(Duration.ofMinutes(11));
        slow.run();

        assertThat(slow.state().dropped()).isPositive();
    }

    /** The backlog of a receiver that delays every attempt must stay bounded. */
    @Test
    @Tag("must-first")
    void failingSinkIsStuckDuringNextAttempt() throws Exception {
        Slow slow = new Slow(Duration.ofMinutes(3));
        slow.failsFirst = true;
        slow.run();

        assertThat(slow.state().dropped()).isPositive();
    }

    /** A sink whose emit advances the clock while the relay runs; its backlog is limited to three transitions. */
    private final class Slow implements TransitionSink {

        private final ManualClock clock = ManualClock.at(Instant.now());
        private final Duration takes;
        private final RelayFixture fixture;
        private boolean failsFirst;

        Slow(Duration takes) {
            this.takes = takes;
            RelayProperties properties = RelayFixture.properties(Duration.ofHours(1), Duration.ofHours(1), 3);
            this.fixture = new RelayFixture(admin, "node-a", properties, nanos::get, clock, this);
        }

        @Override
        public String name() {
            return "slow";
        }

        @Override
        public void emit(long term, List<RelayedTransition> transitions) {
            if (failsFirst) {
                failsFirst = false;
                throw new IllegalStateException("away");
            }
            clock.advance(takes);
            fixture.relay.run();
        }

        void run() throws Exception {
            fixture.relay.run();
            for (int i = 1; i <= 5; i++) {
                append(i, 1);
            }
            fixture.relay.run();
            if (failsFirst) {
                assertThatThrownBy(() -> fixture.feeders.get(0).run()).hasMessage("away");
                clock.advance(Duration.ofMinutes(2));
            }
            fixture.feeders.get(0).run();
        }

        SinkState state() {
            return fixture.sinks.list().stream()
                    .filter(one -> one.name().equals(name()))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    void deletesDeliveredTransitionsAfterReplayTime() throws Exception {
        node = node("node-a", RelayFixture.properties(Duration.ofMillis(1), Duration.ofDays(1), 1_000));
        append(1, 1);
        first.failure = new IllegalStateException("not yet");
        node.relay.run();
        assertThatThrownBy(() -> node.feeders.get(0).run()).hasMessage("not yet");
        node.feeders.get(1).run();
        node.relay.run();
        assertThat(journalled()).isPositive();

        first.failure = null;
        node.relay();
        node.relay.run();

        assertThat(journalled()).isZero();
        assertThat(admin.journal.list(EntityKind.RUN, 1))
                .as("its history stays")
                .hasSize(1);
    }

    @Test
    void newSinkStartsWithNextTransition() throws Exception {
        append(1, 1);
        node.relay();
        node.relay.ended();
        Remembering third = new Remembering("third");
        RelayFixture other =
                new RelayFixture(admin, "node-b", RelayFixture.PROPERTIES, nanos::get, first, second, third);
        other.relay();
        append(1, 2);
        other.relay();

        assertThat(third.sequences().get("RUN 1")).containsExactly(2);
    }

    @Test
    void countsPrunedTransitionsAsDropped() throws Exception {
        append(1, 1);
        node.relay.run();
        admin.jdbc
                .sql("delete from orth_transition where entity_id = 1 and entity = 'RUN'")
                .update();

        node.feeders.get(0).run();

        assertThat(first.sequences()).doesNotContainKey("RUN 1");
        assertThat(state("first").dropped()).isEqualTo(1);
    }

    private static final class Unobserved implements LoopObserver {

        @Override
        public void passed(String loop, Pass pass) {}

        @Override
        public void failed(String loop, int failuresInARow, Throwable failure) {}
    }

    private SinkState state(String sink) {
        return node.sinks.list().stream()
                .filter(one -> one.name().equals(sink))
                .findFirst()
                .orElseThrow();
    }

    private long journalled() {
        return admin.jdbc
                .sql("select count(*) from orth_journal")
                .query(Long.class)
                .single();
    }

    private void expire() {
        admin.jdbc.sql("update orth_lease set expires_at = '-infinity'").update();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
