package io.orth.admin.queue;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.orth.admin.deadletter.DeadLetterOwner;
import io.orth.admin.deadletter.WaitingMessages;
import io.orth.admin.kernel.LastWrites;
import io.orth.admin.kernel.RunIdGenerator;
import io.orth.admin.kernel.StateChanges;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.queue.QueueDriver.Claim;
import io.orth.admin.queue.QueueDriver.Turn;
import io.orth.admin.systemlog.SystemLog;
import io.orth.protocol.ClaimedMessage;
import io.orth.protocol.MessageResult;
import io.orth.protocol.PushReply.Pushed;
import java.time.Clock;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.Stream;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.util.unit.DataSize;

/** Queues over a test's database. */
public final class QueueFixture {

    static final QueueProperties PROPERTIES = new QueueProperties(
            DataSize.ofKilobytes(256),
            3,
            new QueueProperties.Delays(Duration.ofSeconds(1), 2, Duration.ofHours(1), 0),
            100,
            Duration.ofDays(7),
            Duration.ofDays(180));

    private final Transactions transactions;
    public final QueueDriver driver;
    public final Queues queues;
    public final QueueReports reports;
    public final Messages messages;
    public final DeadLetterOwner deadMessages;
    public final WaitingMessages waiting;
    final DeadLetters deadLetters;
    final QueueSignals signals;
    final GuestService guests;
    final InboxIntake intake;
    final Inbox inbox;
    private final JdbcClient jdbc;
    final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    final QueueMetrics metrics = new QueueMetrics(registry);

    public QueueFixture(
            JdbcClient jdbc,
            LastWrites writes,
            StateChanges journal,
            Transactions transactions,
            RunIdGenerator ids,
            Clock clock,
            CarriedWork carried) {
        this.driver = new PostgresQueueDriver(jdbc, writes, journal, transactions, ids, metrics, carried);
        this.transactions = transactions;
        this.signals = new QueueSignals(jdbc, clock);
        this.guests = new GuestService(driver, ForkJoinPool.commonPool());
        this.queues = new Queues(
                jdbc, driver, guests, signals, transactions, (level, message, worker, queue) -> {}, PROPERTIES);
        this.reports = new QueueReports(jdbc);
        this.messages = new Messages(jdbc);
        this.deadLetters = new DeadLetters(driver, signals);
        this.jdbc = jdbc;
        this.deadMessages = deadMessages(DeadMessages.MOST_READY);
        this.waiting = new QueuePurge(jdbc, driver, messages);
        this.intake = intake(driver, (level, message, worker, queue) -> {});
        this.inbox = new Inbox(jdbc, () -> {});
    }

    /** With a limit of ready messages, above which a queue is throttled. */
    public DeadLetterOwner deadMessages(int mostReady) {
        return new DeadMessages(jdbc, driver, deadLetters, mostReady);
    }

    /** The same with another driver. */
    public DeadLetterOwner deadMessages(QueueDriver other, int mostReady) {
        return new DeadMessages(jdbc, other, new DeadLetters(other, signals), mostReady);
    }

    public WaitingMessages waiting(QueueDriver other) {
        return new QueuePurge(jdbc, other, messages);
    }

    InboxIntake intake(QueueDriver queueDriver, SystemLog log) {
        return new InboxIntake(jdbc, queues, queueDriver, signals, transactions, log);
    }

    CompletionIntake completions(QueueDriver queueDriver, SystemLog log) {
        return new CompletionIntake(jdbc, queueDriver, signals, transactions, log);
    }

    HeldMessages held(SystemLog log) {
        return new HeldMessages(driver, queues, new InFlightRepository(jdbc), signals, log);
    }

    public static Messages messages(JdbcClient jdbc) {
        return new Messages(jdbc);
    }

    /** Folds the tallies into reports. */
    public void fold() {
        transactions.run(() -> reports.fold(10_000));
    }

    public static MessageSpec withAttempts(int attempts) {
        return new MessageSpec(
                "hello", Lane.DEFAULT, null, null, null, null, null, attempts, null, Map.of(), null, null);
    }

    /** Returns the message's id. */
    public long push(String queue, MessageSpec message) {
        return queues.push(queue, List.of(message)).get(0).id();
    }

    public List<Long> pushMany(String queue, int messages) {
        return queues.push(queue, Collections.nCopies(messages, withAttempts(1))).stream()
                .map(Pushed::id)
                .toList();
    }

    /** Pushes one message per lane, a delayed one, and three of a group, two of them blocked. */
    public List<Long> pushSpecial(String queue) {
        Stream<MessageSpec> lanes = Stream.of(Lane.values()).map(lane -> special(lane, null, null));
        Stream<MessageSpec> others = Stream.of(
                special(Lane.DEFAULT, Duration.ofHours(1), null),
                special(Lane.DEFAULT, null, "group"),
                special(Lane.DEFAULT, null, "group"),
                special(Lane.DEFAULT, null, "group"));
        return queues.push(queue, Stream.concat(lanes, others).toList()).stream()
                .map(Pushed::id)
                .toList();
    }

    private static MessageSpec special(Lane lane, Duration delay, String group) {
        return new MessageSpec("hello", lane, null, delay, null, null, group, 1, null, Map.of(), null, null);
    }

    public List<ClaimedMessage> claim(String queue, long executor, int slots) {
        return driver.work(queue, List.of(), claim(executor, slots)).messages();
    }

    public Turn report(String queue, long executor, MessageResult... results) {
        return driver.work(queue, List.of(results), claim(executor, 0));
    }

    static Claim claim(long executor, int slots) {
        return new Claim(executor, 0, UUID.randomUUID().toString(), 0, 0, slots, 0);
    }
}
