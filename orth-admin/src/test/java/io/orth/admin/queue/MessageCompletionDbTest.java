package io.orth.admin.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.admin.AdminFixture;
import io.orth.admin.PublishedLines;
import io.orth.admin.kernel.EntityKind;
import io.orth.admin.pipeline.PipelineRunStatus;
import io.orth.admin.queue.QueueDriver.InFlight;
import io.orth.admin.registry.ExecutorGroup;
import io.orth.admin.registry.HeldWork;
import io.orth.admin.registry.Target;
import io.orth.client.TransactionalQueues;
import io.orth.protocol.ClaimedMessage;
import io.orth.protocol.Codes;
import io.orth.protocol.MessageClaim;
import io.orth.protocol.MessageResult;
import io.orth.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Messages that an application completes in its own transaction: with its commit, or not at all, and never beside another result. */
@Tag("must-kernel")
class MessageCompletionDbTest {

    private static final String QUEUE = "emails";

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private final PublishedLines log = new PublishedLines();
    private AdminFixture admin;
    private CompletionIntake intake;
    private Target executor;
    private ClaimedMessage message;

    @BeforeEach
    void setUp() {
        admin = AdminFixture.onEmptied(db);
        admin.jdbc
                .sql("create table if not exists sent_mail (id bigint primary key)")
                .update();
        admin.jdbc.sql("truncate sent_mail").update();
        intake = admin.queues.completions(admin.queues.driver, log);
        ExecutorGroup group = admin.group("group");
        executor = admin.executor(group, "i1", "http://127.0.0.1:9999/");
        admin.queues.push(QUEUE, QueueFixture.withAttempts(3));
        message = admin.queues.claim(QUEUE, executor.executorId(), 1).get(0);
    }

    private MessageClaim claim() {
        return claimBy(executor.instanceId());
    }

    private MessageClaim claimBy(String instance) {
        return new MessageClaim(QUEUE, message.id(), message.logId(), instance);
    }

    private Connection begin() throws SQLException {
        Connection connection = db.dataSource().getConnection();
        connection.setAutoCommit(false);
        return connection;
    }

    /** The handler's own change and the completion of its message. */
    private void handle(Connection connection, MessageClaim claim) throws SQLException {
        try (var insert = connection.prepareStatement("insert into sent_mail values (?)")) {
            insert.setLong(1, message.id());
            insert.executeUpdate();
        }
        TransactionalQueues.in(connection).complete(claim, "sent");
    }

    private List<Long> sentMail() {
        return admin.jdbc.sql("select id from sent_mail").query(Long.class).list();
    }

    private int waitingCompletions() {
        return admin.jdbc
                .sql("select count(*) from orth_message_completion")
                .query(Integer.class)
                .single();
    }

    private List<String> journal() {
        return admin.journal.list(EntityKind.MESSAGE, message.id()).stream()
                .map(each -> "%s->%s %s".formatted(each.from(), each.to(), each.cause()))
                .toList();
    }

    private Message stored() {
        return admin.queues
                .messages
                .find(admin.queues.queues.get(QUEUE), message.id())
                .orElseThrow();
    }

    private List<Long> report(int code) {
        return admin.queues
                .report(
                        QUEUE,
                        executor.executorId(),
                        new MessageResult(message.id(), message.logId(), code, "late", false, null, 5))
                .refused();
    }

    private Set<Long> lose() {
        return admin.queues.driver.lose(
                QUEUE,
                executor.executorId(),
                List.of(new InFlight(QUEUE, message.id(), executor.executorId(), message.logId(), Duration.ZERO)),
                HeldWork.Loss.NOT_HELD);
    }

    @Test
    void completesMessageWithTheCommit() throws SQLException {
        try (Connection connection = begin()) {
            handle(connection, claim());
            intake.run();
            assertThat(stored().status()).isEqualTo(MessageStatus.RUNNING);

            connection.commit();
        }
        intake.run();

        assertThat(sentMail()).containsExactly(message.id());
        assertThat(stored().status()).isEqualTo(MessageStatus.DONE);
        assertThat(stored().result()).isEqualTo("sent");
        assertThat(journal())
                .containsExactly("null->WAITING PUSHED", "WAITING->RUNNING CLAIMED", "RUNNING->DONE COMPLETED");
        assertThat(waitingCompletions()).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"{\"pages\": 3} | {\"pages\": 3}", "three pages | \"three pages\"", "[1, | \"[1,\""})
    void completesTheTaskThatTheMessageCarries(String result, String stored) throws SQLException {
        admin.pipelines.define("books", "courses");
        long run = admin.pipelines.submit("books", "math");
        admin.pipelines.dispatch();
        message = admin.pipelines.receive("courses", executor, 1).get(0);

        try (Connection connection = begin()) {
            TransactionalQueues.in(connection)
                    .complete(
                            new MessageClaim("q.courses", message.id(), message.logId(), executor.instanceId()),
                            result);
            connection.commit();
        }
        intake.run();
        admin.pipelines.reconcile();

        assertThat(admin.pipelines.tasksOf(run, 0)).containsExactly("math COMPLETED");
        assertThat(admin.pipelines.statusOf(run)).isEqualTo(PipelineRunStatus.COMPLETED);
        assertThat(admin.jdbc
                        .sql("select result = :result::jsonb from orth_pipeline_task")
                        .param("result", stored)
                        .query(Boolean.class)
                        .single())
                .isTrue();
    }

    /** The contradiction that state transitions must never show: completed, rolled back, failed. */
    @Test
    void failureAfterRollbackIsTheOnlyTransition() throws SQLException {
        try (Connection connection = begin()) {
            handle(connection, claim());
            connection.rollback();
        }

        assertThat(report(Codes.FAIL)).isEmpty();
        intake.run();

        assertThat(sentMail()).isEmpty();
        assertThat(stored().status()).isEqualTo(MessageStatus.WAITING);
        assertThat(journal())
                .containsExactly("null->WAITING PUSHED", "WAITING->RUNNING CLAIMED", "RUNNING->WAITING FAILED");
    }

    @Test
    void failureReportedAfterTheCommitDoesNotCount() throws SQLException {
        commit();

        assertThat(report(Codes.FAIL)).containsExactly(message.id());
        intake.run();

        assertThat(stored().status()).isEqualTo(MessageStatus.DONE);
        assertThat(journal()).hasSize(3).endsWith("RUNNING->DONE COMPLETED");
        assertThat(report(Codes.FAIL)).containsExactly(message.id());
    }

    @Test
    void successReportedAfterTheCommitCountsOnce() throws SQLException {
        commit();

        assertThat(report(Codes.SUCCESS)).isEmpty();
        intake.run();

        assertThat(journal()).hasSize(3).endsWith("RUNNING->DONE COMPLETED");
        assertThat(waitingCompletions()).isZero();
    }

    @Test
    void messageOfLostExecutorIsNotRequeuedAfterTheCommit() throws SQLException {
        commit();

        assertThat(lose()).isEmpty();
        intake.run();

        assertThat(stored().status()).isEqualTo(MessageStatus.DONE);
    }

    @Test
    void commitFailsWhenTheClaimHasEnded() throws SQLException {
        try (Connection connection = begin()) {
            handle(connection, claim());
            assertThat(lose()).containsExactly(message.id());

            assertThatThrownBy(connection::commit)
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining(
                            "message %d of queue emails is no longer claimed by executor i1 under log id %d",
                            message.id(), message.logId());
        }
        intake.run();

        assertThat(sentMail()).isEmpty();
        assertThat(stored().status()).isEqualTo(MessageStatus.WAITING);
    }

    @Test
    void commitFailsForAnotherExecutorsClaim() throws SQLException {
        try (Connection connection = begin()) {
            handle(connection, claimBy("i2"));

            assertThatThrownBy(connection::commit).hasMessageContaining("no longer claimed by executor i2");
        }
        assertThat(sentMail()).isEmpty();
        assertThat(stored().status()).isEqualTo(MessageStatus.RUNNING);
    }

    /** A loss that waits for the commit sees the completion, although its statement started before. */
    @Test
    @Timeout(60)
    void lossThatWaitsForTheCommitMovesNothing() throws Exception {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        try (Connection connection = begin()) {
            handle(connection, claim());
            try (var statement = connection.createStatement()) {
                statement.execute("set constraints all immediate");
            }
            Future<Set<Long>> lost = pool.submit(this::lose);
            awaitBlockedStatement();

            connection.commit();

            assertThat(lost.get(30, TimeUnit.SECONDS)).isEmpty();
        } finally {
            pool.shutdownNow();
        }
        intake.run();
        assertThat(stored().status()).isEqualTo(MessageStatus.DONE);
    }

    private void awaitBlockedStatement() {
        Awaitility.await().until(() -> admin.jdbc.sql("""
                             select exists (select from pg_stat_activity
                                             where datname = current_database() and wait_event_type = 'Lock')
                             """).query(Boolean.class).single());
    }

    /** No other result can finish the message meanwhile, so the number of recording attempts is bounded. */
    @Test
    void deadLettersCompletionThatCannotBeRecorded() throws SQLException {
        commit();
        long refused = message.id();
        admin.queues.push(QUEUE, QueueFixture.withAttempts(3));
        message = admin.queues.claim(QUEUE, executor.executorId(), 1).get(0);
        commit();
        admin.jdbc
                .sql("alter table orth_message_history add constraint refuses_one check (id <> %d)".formatted(refused))
                .update();
        try {
            intake.run();
            assertThat(stored().status()).isEqualTo(MessageStatus.DONE);
            assertThat(statusOf(refused)).isEqualTo(MessageStatus.RUNNING);
            assertThat(admin.jdbc
                            .sql("select attempts = 1 and retry_at > now() from orth_message_completion")
                            .query(Boolean.class)
                            .single())
                    .isTrue();
            for (int i = 0; i < 9; i++) {
                admin.jdbc
                        .sql("update orth_message_completion set retry_at = now()")
                        .update();
                intake.run();
            }
        } finally {
            admin.jdbc
                    .sql("alter table orth_message_history drop constraint refuses_one")
                    .update();
        }

        assertThat(statusOf(refused)).isEqualTo(MessageStatus.DEAD);
        assertThat(waitingCompletions()).isZero();
        assertThat(admin.journal.list(EntityKind.MESSAGE, refused))
                .last()
                .satisfies(each -> assertThat(each.to()).isEqualTo("DEAD"));
        assertThat(log.lines())
                .last(InstanceOfAssertFactories.STRING)
                .startsWith("ERROR message %d of queue emails has failed: its application has completed and committed"
                        .formatted(refused));
    }

    private MessageStatus statusOf(long id) {
        return admin.queues
                .messages
                .find(admin.queues.queues.get(QUEUE), id)
                .orElseThrow()
                .status();
    }

    @Test
    void requiresTransaction() throws SQLException {
        try (Connection connection = db.dataSource().getConnection()) {
            assertThatThrownBy(() -> TransactionalQueues.in(connection).complete(claim()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("auto-commit");
        }
    }

    /** The application's user needs no right on Orth's other tables, and cannot replace them by temporary ones. */
    @Test
    void needsNoRightButInsert() throws SQLException {
        String role = "mailer_" + UUID.randomUUID().toString().replace("-", "");
        String schema =
                admin.jdbc.sql("select current_schema()").query(String.class).single();
        admin.jdbc.sql("create role " + role).update();
        admin.jdbc.sql("grant usage on schema %s to %s".formatted(schema, role)).update();
        admin.jdbc
                .sql("grant insert (queue, message_id, log_id, executor, result) on orth_message_completion to " + role)
                .update();
        try (Connection connection = begin();
                var statement = connection.createStatement()) {
            statement.execute("create temporary table orth_message (id bigint) on commit drop");
            statement.execute("set local role " + role);
            TransactionalQueues.in(connection).complete(claim(), "sent");

            connection.commit();
        } finally {
            admin.jdbc.sql("drop owned by " + role).update();
            admin.jdbc.sql("drop role " + role).update();
        }
        intake.run();

        assertThat(stored().status()).isEqualTo(MessageStatus.DONE);
    }

    @Test
    void wakesAnAdminWithTheCommit() throws SQLException {
        try (Connection listening = db.dataSource().getConnection()) {
            listening.createStatement().execute("listen " + CompletionIntake.CHANNEL);
            commit();

            assertThat(listening.unwrap(org.postgresql.PGConnection.class).getNotifications(10_000))
                    .hasSize(1);
            listening.createStatement().execute("unlisten *");
        }
    }

    private void commit() throws SQLException {
        try (Connection connection = begin()) {
            handle(connection, claim());
            connection.commit();
        }
    }
}
