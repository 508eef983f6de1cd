package io.orth.admin.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.admin.AdminFixture;
import io.orth.admin.PublishedLines;
import io.orth.admin.kernel.ClusterLease;
import io.orth.admin.kernel.FaultPoints;
import io.orth.admin.kernel.Node;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.TestFaults;
import io.orth.client.Lane;
import io.orth.client.Message;
import io.orth.client.OrthClientException;
import io.orth.client.TransactionalQueues;
import io.orth.runtime.Duty;
import io.orth.runtime.Duty.Pass;
import io.orth.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.postgresql.PGConnection;

/** Messages pushed in the application's own transaction: they arrive with its commit, in order and once, or not at all. */
@Tag("must-queues")
class InboxDbTest {

    private static final String QUEUE = "emails";

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private AdminFixture admin;
    private InboxIntake intake;
    private final PublishedLines log = new PublishedLines();

    record Letter(String to, int pages) {}

    @BeforeEach
    void setUp() {
        admin = AdminFixture.onEmptied(db);
        intake = admin.queues.intake(admin.queues.driver, log);
    }

    // --- with the transaction

    @Test
    void pushesMessagesWithCommit() throws SQLException {
        try (Connection connection = begin()) {
            TransactionalQueues queues = TransactionalQueues.in(connection);
            queues.push(QUEUE, new Letter("ann", 2));
            queues.push(QUEUE, Message.of("bob").lane(Lane.HIGH).groupKey("g").metadata("tenant", "acme"));
            drain();
            assertThat(payloads()).isEmpty();

            connection.commit();
        }
        drain();

        assertThat(payloads()).containsExactlyInAnyOrder("{\"to\":\"ann\",\"pages\":2}", "bob");
        List<io.orth.admin.queue.Message> waiting =
                admin.queues.messages.open(admin.queues.queues.get(QUEUE), MessageStatus.WAITING, 0, 10);
        assertThat(waiting.get(1).lane()).isEqualTo(io.orth.admin.queue.Lane.HIGH);
        assertThat(waiting.get(1).groupKey()).isEqualTo("g");
        assertThat(waiting.get(1).metadata()).containsEntry("tenant", "acme");
        assertThat(inboxRows()).isZero();
    }

    @Test
    void leavesNothingAfterRollback() throws SQLException {
        try (Connection connection = begin()) {
            TransactionalQueues.in(connection).push(QUEUE, "hello");
            connection.rollback();
        }

        assertThat(intake.run()).isEqualTo(Pass.DRAINED);

        assertThat(admin.queues.queues.list()).isEmpty();
        assertThat(inboxRows()).isZero();
    }

    @Test
    void requiresTransaction() throws SQLException {
        try (Connection connection = db.dataSource().getConnection()) {
            assertThatThrownBy(() -> TransactionalQueues.in(connection).push(QUEUE, "hello"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("auto-commit");
        }
    }

    @Test
    void notifiesAdminsOnCommit() throws SQLException {
        try (Connection listening = db.dataSource().getConnection();
                Connection connection = begin()) {
            listening.createStatement().execute("listen " + Inbox.CHANNEL);
            TransactionalQueues.in(connection).pushAll(QUEUE, List.of("a", "b"));
            TransactionalQueues.in(connection).push("other", "c");
            connection.commit();

            assertThat(listening.unwrap(PGConnection.class).getNotifications(10_000))
                    .hasSize(1);
            listening.createStatement().execute("unlisten *");
        }
    }

    @Test
    void needsOnlyInsertPrivilege() throws SQLException {
        String role = "app_" + UUID.randomUUID().toString().replace("-", "");
        admin.jdbc.sql("create role " + role).update();
        try (Connection connection = begin()) {
            admin.jdbc.sql("grant usage on schema orth to " + role).update();
            admin.jdbc
                    .sql("grant insert (queue, messages) on orth.orth_message_inbox to " + role)
                    .update();
            connection.createStatement().execute("set local role " + role);

            TransactionalQueues.in(connection).schema("").push(QUEUE, "hello");
            assertThatThrownBy(() -> connection.createStatement().execute("select * from orth_message_inbox"))
                    .hasMessageContaining("permission denied");
            connection.rollback();

            connection.createStatement().execute("set local role " + role);
            connection.createStatement().execute("set local search_path = public");
            TransactionalQueues.in(connection).push(QUEUE, "hello");
            connection.commit();
        } finally {
            admin.jdbc.sql("drop owned by " + role).update();
            admin.jdbc.sql("drop role " + role).update();
        }
        drain();

        assertThat(payloads()).containsExactly("hello");
    }

    @Test
    void countsDelayFromPush() throws SQLException {
        commit(queues -> queues.push(QUEUE, Message.of("late").delay(Duration.ofMinutes(10))));
        admin.jdbc
                .sql("update orth_message_inbox set created_at = created_at - interval '1 hour'")
                .update();

        drain();

        assertThat(admin.jdbc
                        .sql("select due_at < now() from orth_message")
                        .query(Boolean.class)
                        .single())
                .isTrue();
    }

    // --- in order, and once

    @Test
    void keepsOrderOfTenThousandMessages() throws SQLException {
        commit(queues -> {
            queues.pushAll(QUEUE, numbers(0, 9_000));
            numbers(9_000, 10_000).forEach(number -> queues.push(QUEUE, number));
        });

        drain();

        assertThat(payloads()).isEqualTo(numbers(0, 10_000));
    }

    @Test
    void twoAdminsKeepOrderWithoutDuplicates() throws Exception {
        commit(queues -> numbers(0, 3_000).forEach(number -> queues.push(QUEUE, number)));
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            List<Future<?>> admins = Stream.of(intake, new AdminFixture(db).queues.intake)
                    .<Future<?>>map(each -> threads.submit(() -> drain(each)))
                    .toList();
            for (Future<?> each : admins) {
                each.get();
            }
        } finally {
            threads.shutdownNow();
        }

        assertThat(payloads()).isEqualTo(numbers(0, 3_000));
        assertThat(inboxRows()).isZero();
    }

    @Test
    void skipsQueueLockedByAnotherAdmin() throws SQLException {
        commit(queues -> queues.push(QUEUE, "a"));
        admin.queues.queues.open(QUEUE);
        try (Connection other = begin()) {
            other.createStatement().execute("select from orth_queue for no key update");
            assertThat(intake.run()).isEqualTo(Pass.DRAINED);
            assertThat(payloads()).isEmpty();
            other.rollback();
        }
        drain();

        assertThat(payloads()).containsExactly("a");
    }

    /** Lock order: gate, then queue row. A pause takes both; an intake in the opposite order would deadlock with it. */
    @Test
    @Timeout(60)
    void pauseWaitsForIntakeAtGate() throws Exception {
        CountDownLatch pushing = new CountDownLatch(1);
        CountDownLatch pausing = new CountDownLatch(1);
        InboxIntake slow = admin.queues.intake(
                WatchedDriver.of(admin.queues.driver, (method, args) -> {
                    if (method.equals("push")) {
                        pushing.countDown();
                        awaitUninterruptibly(pausing);
                    }
                }),
                log);
        commit(queues -> queues.push(QUEUE, "a"));
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            Future<Pass> taking = threads.submit(slow::run);
            pushing.await();
            Future<io.orth.admin.queue.Queue> paused = threads.submit(() -> admin.queues.queues.pause(QUEUE));
            Awaitility.await().until(() -> waitsFor().size() == 1);
            assertThat(waitsFor()).containsExactly("advisory");
            pausing.countDown();

            taking.get();
            assertThat(paused.get().paused()).isTrue();
        } finally {
            pausing.countDown();
            threads.shutdownNow();
        }
        assertThat(payloads()).containsExactly("a");
    }

    private List<String> waitsFor() {
        return admin.jdbc
                .sql(
                        "select wait_event from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'")
                .query(String.class)
                .list();
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void leavesPushInInboxWhenAdminDies() throws SQLException {
        commit(queues -> queues.pushAll(QUEUE, List.of("a", "b")));
        TestFaults.dieOnceAt(FaultPoints.INBOX_AFTER_PUSH);
        assertThatThrownBy(() -> intake.run()).isInstanceOf(TestFaults.Died.class);
        assertThat(payloads()).isEmpty();
        assertThat(inboxRows()).isEqualTo(1);

        drain(new AdminFixture(db).queues.intake);

        assertThat(payloads()).containsExactly("a", "b");
        assertThat(inboxRows()).isZero();
    }

    @Test
    void countsRepeatedPushToExternalDriverOnce() throws SQLException {
        InboxIntake elsewhere = admin.queues.intake(new OtherDriver(admin.queues.driver, false), log);
        commit(queues -> {
            queues.push(QUEUE, "a");
            queues.push(QUEUE, "b");
        });
        TestFaults.dieOnceAt(FaultPoints.INBOX_AFTER_PUSH);
        assertThatThrownBy(elsewhere::run).isInstanceOf(TestFaults.Died.class);
        assertThat(payloads()).containsExactly("a");
        assertThat(inboxRows()).isEqualTo(2);

        drain(elsewhere);

        assertThat(payloads()).containsExactly("a", "b");
        assertThat(inboxRows()).isZero();
    }

    @Test
    void oneAdminDrainsInboxOfExternalDriver() throws Exception {
        commit(queues -> queues.push(QUEUE, "a"));
        QueueDriver elsewhere = new OtherDriver(admin.queues.driver, false);
        InboxIntake copying = admin.queues.intake(elsewhere, log);
        ClusterLease other = new ClusterLease(
                admin.jdbc, "inbox-intake", new Node("other", "host", 1, "test"), Duration.ofMinutes(1));
        assertThat(other.hold()).isPresent();
        Duty alone = InboxConfiguration.alone(copying, admin.jdbc, elsewhere, new Node("this", "host", 2, "test"));

        assertThat(alone.run()).isEqualTo(Pass.DRAINED);
        assertThat(inboxRows()).isEqualTo(1);

        other.release();
        alone.run();
        assertThat(inboxRows()).isZero();
        assertThat(InboxConfiguration.alone(
                        intake, admin.jdbc, admin.queues.driver, new Node("this", "host", 2, "test")))
                .isSameAs(intake);
    }

    // --- limits

    @Test
    void splitsLargePushOverSeveralEntries() throws SQLException {
        Message large = Message.of("x");
        for (int i = 0; i < 30; i++) {
            large = large.metadata("m" + i, "y".repeat(1_000));
        }
        List<Message> messages = Collections.nCopies(100, large);
        commit(queues -> queues.pushAll(QUEUE, messages));
        assertThat(inboxRows()).isEqualTo(3);

        drain();

        assertThat(payloads()).hasSize(100);
    }

    @Test
    void limitsBytesOfOneStep() throws SQLException {
        String payload = "x".repeat(250_000);
        commit(queues -> IntStream.range(0, 40).forEach(i -> queues.push(QUEUE, payload)));

        assertThat(intake.run()).isEqualTo(Pass.MORE);
        assertThat(payloads()).hasSize(17);
        drain();

        assertThat(payloads()).hasSize(40);
    }

    // --- pushes that fail

    @Test
    void parksPushWhenItsQueueCannotBeCreated() throws SQLException {
        IntStream.range(0, QueueFixture.PROPERTIES.maxQueues()).forEach(i -> admin.queues.queues.open("q" + i));
        commit(queues -> {
            queues.push("a-new-one", "x");
            queues.push("a-new-one", "y");
            queues.push("q0", "good");
        });

        drain();

        assertThat(payloads()).containsExactly("good");
        assertThat(admin.queues.inbox.parked(0, 10))
                .hasSize(2)
                .allSatisfy(parked -> assertThat(parked.error()).contains("orth.queue.max-queues"));
        assertThat(log.lines()).hasSize(1);

        admin.queues.queues.delete("q7");
        admin.queues.inbox.parked(0, 10).forEach(parked -> admin.queues.inbox.retry(parked.id()));
        drain();

        assertThat(payloads()).containsExactly("good", "x", "y");
    }

    @Test
    void parksInvalidPushAndContinues() throws SQLException {
        insert("[{\"payload\": \"x\", \"lane\": \"FAST\"}]");
        insert("[7]");
        insert("[{\"payload\": \"%s\"}]".formatted("x".repeat(300_000)));
        insert("[{\"payload\": \"x\", \"delayMillis\": 99999999999999}]");
        commit(queues -> queues.push(QUEUE, "good"));

        drain();

        assertThat(payloads()).containsExactly("good");
        List<Inbox.Parked> parked = admin.queues.inbox.parked(0, 10);
        assertThat(parked)
                .extracting(Inbox.Parked::error)
                .satisfiesExactly(
                        error -> assertThat(error).startsWith("messages[0].lane must be one of"),
                        error -> assertThat(error).contains("must be a JSON object"),
                        error -> assertThat(error).isEqualTo("messages[0].payload must have at most 262144 bytes"),
                        error -> assertThat(error).startsWith("messages[0].delay must be between"));
        assertThat(parked.get(0).messages()).contains("FAST");
        assertThat(log.lines())
                .containsExactly("WARN 4 pushes for queue emails are parked, the first is %d: %s"
                        .formatted(parked.get(0).id(), parked.get(0).error()));
    }

    @Test
    void retriesOrDiscardsParkedPush() {
        insert("[{\"payload\": \"x\", \"lane\": \"FAST\"}]");
        insert("[{\"payload\": \"y\", \"lane\": \"FAST\"}]");
        drain();
        List<Inbox.Parked> parked = admin.queues.inbox.parked(0, 10);
        admin.jdbc
                .sql("update orth_message_inbox set messages = jsonb_set(messages, '{0,lane}', '\"LOW\"')")
                .update();

        admin.queues.inbox.retry(parked.get(0).id());
        admin.queues.inbox.discard(parked.get(1).id());
        drain();

        assertThat(payloads()).containsExactly("x");
        assertThat(inboxRows()).isZero();
        assertThatThrownBy(() -> admin.queues.inbox.retry(parked.get(1).id()))
                .isInstanceOf(OrthException.class)
                .hasMessageStartingWith("there is no parked push");
    }

    @Test
    void parksOnlyPushThatDatabaseRejects() throws SQLException {
        InboxIntake refusing = admin.queues.intake(new OtherDriver(admin.queues.driver, true), log);
        commit(queues -> Stream.of("a", "poison", "b").forEach(payload -> queues.push(QUEUE, payload)));

        drain(refusing);

        assertThat(payloads()).containsExactly("a", "b");
        assertThat(admin.queues.inbox.parked(0, 10))
                .extracting(Inbox.Parked::error)
                .containsExactly("poison");
    }

    @Test
    void databaseRejectsMalformedPush() {
        assertThatThrownBy(() -> insert("{\"payload\": \"x\"}")).hasMessageContaining("orth_message_inbox");
        assertThatThrownBy(() -> insert("no json")).hasMessageContaining("json");
        assertThatThrownBy(() -> commit(queues -> queues.push("no queue", "x")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("queue must be");
    }

    @Test
    void reportsDatabaseWithoutOrthSchema() throws SQLException {
        try (Connection connection = begin()) {
            assertThatThrownBy(() -> TransactionalQueues.in(connection)
                            .schema("pg_catalog")
                            .push(QUEUE, "x"))
                    .isInstanceOf(OrthClientException.class)
                    .hasMessageContaining("orth_message_inbox");
            connection.rollback();
        }
    }

    // ---

    private interface Pushes {
        void to(TransactionalQueues queues);
    }

    private void commit(Pushes pushes) throws SQLException {
        try (Connection connection = begin()) {
            pushes.to(TransactionalQueues.in(connection));
            connection.commit();
        }
    }

    private static Connection begin() throws SQLException {
        Connection connection = db.dataSource().getConnection();
        connection.setAutoCommit(false);
        return connection;
    }

    private void insert(String messages) {
        admin.jdbc
                .sql("insert into orth_message_inbox (queue, messages) values (:queue, :messages::jsonb)")
                .param("queue", QUEUE)
                .param("messages", messages)
                .update();
    }

    private void drain() {
        drain(intake);
    }

    private static void drain(InboxIntake intake) {
        while (intake.run() == Pass.MORE) {}
    }

    private List<String> payloads() {
        return admin.jdbc
                .sql("select payload from orth_message order by due_at, id")
                .query(String.class)
                .list();
    }

    private long inboxRows() {
        return admin.jdbc
                .sql("select count(*) from orth_message_inbox")
                .query(Long.class)
                .single();
    }

    private static List<String> numbers(int from, int to) {
        return IntStream.range(from, to).mapToObj(Integer::toString).toList();
    }
}
