package io.orth.admin.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.AdminFixture;
import io.orth.admin.kernel.EntityKind;
import io.orth.admin.registry.LostWorkDetector;
import io.orth.admin.registry.Target;
import io.orth.admin.triggering.TriggersFixture;
import io.orth.protocol.ClaimedMessage;
import io.orth.runtime.Threads;
import io.orth.testkit.FakeExecutor;
import io.orth.testkit.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Messages claimed by an online executor according to the database, compared with the executor's reply. */
@Tag("must-first")
class LostMessagesDbTest {

    private static final String QUEUE = "emails";
    private static final Duration INTERVAL = Duration.ofSeconds(30);
    private static final Duration TIMEOUT = Duration.ofDays(7);

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private final FakeExecutor executor = new FakeExecutor("instance");
    private final ExecutorService askers = Threads.pool("test-inquiry", 4, 100);
    private final AtomicLong nanos = new AtomicLong();
    private final List<String> said = new ArrayList<>();
    private AdminFixture admin;
    private QueueFixture queues;
    private Target target;
    private LostWorkDetector detector;

    @BeforeEach
    void setUp() {
        admin = AdminFixture.onEmptied(db);
        queues = admin.queues;
        target = admin.executor(admin.group("group"), "instance", executor.address());
        detector = new LostWorkDetector(
                List.of(queues.held((level, message, worker, queue) ->
                        said.add("%s %s|%s|%s".formatted(level, message, worker, queue)))),
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
    void completesAMessageThatItsExecutorHasFinished() throws Exception {
        ClaimedMessage message = oldMessage(3);
        executor.finished(message.logId(), 200, null);

        round();

        assertThat(message(message).status()).isEqualTo(MessageStatus.DONE);
        assertThat(journalOf(message)).endsWith("RUNNING->DONE COMPLETED");
    }

    @Test
    void recordsAFailureThatItsExecutorRemembers() throws Exception {
        ClaimedMessage again = oldMessage(3);
        ClaimedMessage last = oldMessage(1);
        executor.finished(again.logId(), 500, null);
        executor.finished(last.logId(), 502, null);

        round();

        assertThat(journalOf(again)).endsWith("RUNNING->WAITING FAILED");
        assertThat(message(last).death().error()).isEqualTo("it failed, and the report of its error was lost");
    }

    @Test
    @Tag("must-kernel")
    void deadLettersNonRetryableFailure() throws Exception {
        ClaimedMessage message = oldMessage(3);
        executor.failedForGood(message.logId(), null);

        round();

        assertThat(message(message).status()).isEqualTo(MessageStatus.DEAD);
    }

    @Test
    void releasedMessageUsesNoAttempt() throws Exception {
        ClaimedMessage message = oldMessage(1);
        executor.finished(message.logId(), 0, null);

        round();

        assertThat(journalOf(message)).endsWith("RUNNING->WAITING RETURNED");
        assertThat(message(message).attempt()).isZero();
    }

    @Test
    void waitsForUnsentResult() throws Exception {
        ClaimedMessage message = oldMessage(3);
        executor.finishedUnsent(message.logId(), 200);

        for (int i = 0; i < LostWorkDetector.PATIENT - 1; i++) {
            round();
        }
        assertThat(message(message).status()).isEqualTo(MessageStatus.RUNNING);
        round();

        assertThat(message(message).status()).isEqualTo(MessageStatus.DONE);
    }

    @Test
    void requeuesMessageAfterTwoUnknownReplies() throws Exception {
        ClaimedMessage message = oldMessage(3);

        round();
        assertThat(message(message).status()).isEqualTo(MessageStatus.RUNNING);
        round();

        assertThat(journalOf(message)).endsWith("RUNNING->WAITING LOST");
        assertThat(said)
                .containsExactly(
                        "WARN 1 messages of queue emails go back: their executor does not have them|instance|emails");
        assertThat(queues.claim(QUEUE, target.executorId(), 1))
                .as("before its backoff has passed")
                .isEmpty();
        admin.jdbc.sql("update orth_message set due_at = now()").update();
        ClaimedMessage next = queues.claim(QUEUE, target.executorId(), 1).get(0);
        assertThat(next.id()).isEqualTo(message.id());
        assertThat(next.attempt()).isEqualTo(2);
        assertThat(next.logId()).isNotEqualTo(message.logId());
    }

    @Test
    @Tag("must-kernel")
    void requeuesMessageOfUnreachableExecutorAfterTimeout() throws Exception {
        ClaimedMessage message = oldMessage(3);
        executor.restartAs("another");
        admin.jdbc
                .sql("update orth_message set status_at = now() - interval '8 days'")
                .update();

        for (int i = 0; i < LostWorkDetector.PATIENT; i++) {
            assertThat(message(message).status()).isEqualTo(MessageStatus.RUNNING);
            round();
        }

        assertThat(journalOf(message)).endsWith("RUNNING->WAITING LOST");
        assertThat(said)
                .containsExactly(
                        "WARN 1 messages of queue emails go back: their executor cannot be asked about them|instance|emails");
        assertThat(new Revocations(admin.jdbc).of(target.executorId())).containsExactly(message.logId());
    }

    @Test
    void deadLettersLostMessageOnLastAttempt() throws Exception {
        ClaimedMessage message = oldMessage(1);

        round();
        round();

        assertThat(message(message).status()).isEqualTo(MessageStatus.DEAD);
        assertThat(message(message).death().error()).isEqualTo("its executor does not have it");
    }

    @Test
    void leavesLaterAttemptOfMessageAlone() throws Exception {
        ClaimedMessage message = oldMessage(3);
        round();
        queues.report(QUEUE, target.executorId(), QueueDriverConformance.retryAfter(message, Duration.ZERO));
        ClaimedMessage next = queues.claim(QUEUE, target.executorId(), 1).get(0);
        assertThat(next.id()).isEqualTo(message.id());

        round();

        assertThat(message(message).status()).isEqualTo(MessageStatus.RUNNING);
        assertThat(message(message).attempt()).isEqualTo(2);
    }

    @Test
    void leavesHeldMessageAlone() throws Exception {
        ClaimedMessage message = oldMessage(3);
        executor.knows(message.logId());

        for (int i = 0; i < LostWorkDetector.PATIENT + 2; i++) {
            round();
        }

        assertThat(message(message).status()).isEqualTo(MessageStatus.RUNNING);
    }

    @Test
    void asksOnlyAboutMessagesOlderThanTwoIntervals() throws Exception {
        ClaimedMessage old = oldMessage(3);
        executor.knows(old.logId());
        queues.push(QUEUE, QueueFixture.withAttempts(3));
        queues.claim(QUEUE, target.executorId(), 1);
        queues.push(QUEUE, QueueFixture.withAttempts(3));

        round();

        assertThat(executor.questions()).containsExactly(old.logId());
    }

    @Test
    @Tag("must-kernel")
    void asksOnlyAfterHeartbeatYoungerThanMessage() throws Exception {
        ClaimedMessage message = oldMessage(3);
        admin.jdbc
                .sql("update orth_executor set heartbeat_timeout_ms = 3600000")
                .update();
        admin.silence(target, Duration.ofMinutes(10));

        round();
        assertThat(executor.questions()).isEmpty();
        admin.silence(target, Duration.ZERO);
        round();

        assertThat(executor.questions()).containsExactly(message.logId());
    }

    /** It responds to probes, so it stays online. */
    @Test
    @Tag("must-kernel")
    void asksExecutorWithoutHeartbeatSinceClaim() throws Exception {
        ClaimedMessage message = oldMessage(3);
        admin.silence(target, Duration.ofMinutes(10));

        round();
        round();

        assertThat(journalOf(message)).endsWith("RUNNING->WAITING LOST");
    }

    @Test
    void findsMessagesInEveryLaneBehindManyOthers() throws Exception {
        queues.pushMany(QUEUE, 1_500);
        for (Lane lane : Lane.values()) {
            queues.push(QUEUE, new MessageSpec("x", lane, null, null, null, null, null, 1, null, Map.of(), null, null));
        }
        List<ClaimedMessage> claimed = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            claimed.addAll(queues.claim(QUEUE, target.executorId(), 1_000));
        }
        assertThat(claimed).hasSize(1_504);
        claimed.forEach(message -> executor.knows(message.logId()));
        queues.pushMany(QUEUE, 3_000);
        age();

        round();

        assertThat(executor.questions())
                .containsExactlyInAnyOrderElementsOf(
                        claimed.stream().map(ClaimedMessage::logId).toList());
    }

    @Test
    void boundsMessagesOfOneRound() throws Exception {
        List<Long> claimed = new ArrayList<>();
        for (int part = 0; part < 25; part++) {
            queues.pushMany(QUEUE, 1_000);
            queues.claim(QUEUE, target.executorId(), 1_000).forEach(message -> claimed.add(message.logId()));
        }
        assertThat(claimed).hasSize(25_000);
        claimed.forEach(executor::knows);
        age();

        round();
        assertThat(executor.questions()).hasSizeBetween(15_000, 24_000);
        round();

        assertThat(executor.questions()).hasSize(25_000).doesNotHaveDuplicates();
    }

    @Test
    void readsOtherQueuesIfOneFails() throws Exception {
        queues.push("aaa", QueueFixture.withAttempts(1));
        queues.claim("aaa", target.executorId(), 1);
        ClaimedMessage message = oldMessage(3);
        executor.finished(message.logId(), 200, null);
        QueueDriver failing = WatchedDriver.of(queues.driver, (method, args) -> {
            if (method.equals("inFlight") && args[0].equals("aaa")) {
                throw new IllegalStateException("told to fail");
            }
        });
        HeldMessages held = new HeldMessages(
                failing,
                queues.queues,
                new InFlightRepository(admin.jdbc),
                queues.signals,
                (level, text, worker, queue) -> {});

        assertThat(held.next(INTERVAL.multipliedBy(2)))
                .extracting(QueueDriver.InFlight::logId)
                .containsExactly(message.logId());
    }

    private void round() throws InterruptedException {
        detector.run();
        nanos.addAndGet(INTERVAL.toNanos());
    }

    /** As after a failover: the executor once claimed it, and the database awaits its result. */
    private ClaimedMessage oldMessage(int attempts) {
        queues.push(QUEUE, QueueFixture.withAttempts(attempts));
        ClaimedMessage claimed = queues.claim(QUEUE, target.executorId(), 1).get(0);
        age();
        return claimed;
    }

    private void age() {
        admin.jdbc
                .sql("update orth_message set status_at = status_at - interval '5 minutes' where status = 'RUNNING'")
                .update();
    }

    private Message message(ClaimedMessage message) {
        return queues.messages.get(queues.queues.get(QUEUE), message.id());
    }

    private List<String> journalOf(ClaimedMessage message) {
        return admin.journal.list(EntityKind.MESSAGE, message.id()).stream()
                .map(t -> "%s->%s %s".formatted(t.from(), t.to(), t.cause()))
                .toList();
    }
}
