package io.orth.client;

import io.orth.protocol.Json;
import io.orth.protocol.MessageClaim;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Pushes and completes messages in the application's own transaction on Orth's database: they take effect if it commits, and have no effect
 * if it rolls back. Messages of one transaction and queue keep their order. They get their ids when an admin moves them to their queue,
 * shortly after the commit.
 *
 * <p>Thread-safe if the connections are.
 */
public final class TransactionalQueues {

    /** The default schema of an admin's tables. */
    public static final String DEFAULT_SCHEMA = "orth";

    private static final String INBOX = "orth_message_inbox";
    private static final String COMPLETIONS = "orth_message_completion";
    private static final int PART_MESSAGES = 1_000;
    private static final long PART_BYTES = 1024 * 1024;

    /** Source of a connection with an open transaction. */
    @FunctionalInterface
    public interface Connections {
        /** Calls {@code work} with the transaction's connection and then releases the connection. */
        void use(Work work) throws SQLException;
    }

    /** Work on a connection. */
    @FunctionalInterface
    public interface Work {
        void on(Connection connection) throws SQLException;
    }

    private final Connections connections;
    private final Function<Object, String> payloads;
    /** Qualifies table names. */
    private final String prefix;

    private TransactionalQueues(Connections connections, Function<Object, String> payloads, String prefix) {
        this.connections = connections;
        this.payloads = payloads;
        this.prefix = prefix;
    }

    /** Uses the open transaction of this connection. */
    public static TransactionalQueues in(Connection connection) {
        return over(work -> work.on(connection));
    }

    /** Uses the transaction that is open at the time of each push. */
    public static TransactionalQueues over(Connections connections) {
        return new TransactionalQueues(connections, PayloadJson::write, "").schema(DEFAULT_SCHEMA);
    }

    /** Sets the writer of payloads that are not texts, for example the application's own JSON mapper. */
    public TransactionalQueues payloads(Function<Object, String> value) {
        return new TransactionalQueues(connections, value, prefix);
    }

    /**
     * Sets the schema of Orth's tables, as in the admin's {@code orth.database.schema}; default {@value #DEFAULT_SCHEMA}. If empty, the
     * search path of the connection decides.
     */
    public TransactionalQueues schema(String value) {
        String quoted = "\"%s\".".formatted(value.replace("\"", "\"\""));
        return new TransactionalQueues(connections, payloads, value.isEmpty() ? "" : quoted);
    }

    /** @param payloadOrMessage a {@link Message}, a text, or any value that can be written as JSON */
    public void push(String queue, Object payloadOrMessage) {
        pushAll(queue, List.of(payloadOrMessage));
    }

    /** Pushes any number of messages, which keep their order. */
    public void pushAll(String queue, Collection<?> payloadsOrMessages) {
        Checks.name("queue", queue);
        List<Map<String, Object>> messages = new ArrayList<>(payloadsOrMessages.size());
        for (Object each : payloadsOrMessages) {
            messages.add(Message.from(each).toWire(payloads).toJson());
        }
        if (messages.isEmpty()) {
            return;
        }
        try {
            connections.use(connection -> insert(connection, queue, messages));
        } catch (SQLException e) {
            throw failed("the messages could not be put into Orth's inbox", e);
        }
    }

    /** Completes the message as {@link #complete(MessageClaim, String)} does, without a result. */
    public void complete(MessageClaim claim) {
        complete(claim, null);
    }

    /**
     * Completes the message of a handler together with the handler's own changes. If the transaction commits, the message is completed, and
     * a failure that the handler reports afterwards is ignored. If the transaction rolls back, nothing has happened, and the handler's
     * result decides. If the claim ends before the commit, for example because the executor was declared lost, the commit fails and the
     * changes are rolled back.
     *
     * @param claim from the handler's context: {@code context.message().orElseThrow().claim()}
     * @param result null for none. If the message carries a pipeline task, a JSON object or array of at most 8 KB becomes the task's
     *     result; any other text becomes a JSON string of at most 1,300 characters.
     */
    public void complete(MessageClaim claim, String result) {
        try {
            connections.use(connection -> insert(connection, claim, result));
        } catch (SQLException e) {
            throw failed("message %d could not be completed".formatted(claim.messageId()), e);
        }
    }

    private static OrthClientException failed(String what, SQLException e) {
        return new OrthClientException(0, "DATABASE", what + ": " + e.getMessage(), List.of(), null, e);
    }

    private static void requireTransaction(Connection connection, String action) throws SQLException {
        if (connection.getAutoCommit()) {
            throw new IllegalStateException(
                    "there is no transaction for the %s to be part of: the connection is in auto-commit mode"
                            .formatted(action));
        }
    }

    private void insert(Connection connection, MessageClaim claim, String result) throws SQLException {
        requireTransaction(connection, "completion");
        try (PreparedStatement insert = connection.prepareStatement(
                "insert into %s (queue, message_id, log_id, executor, result) values (?, ?, ?, ?, ?)"
                        .formatted(prefix + COMPLETIONS))) {
            insert.setString(1, claim.queue());
            insert.setLong(2, claim.messageId());
            insert.setLong(3, claim.logId());
            insert.setString(4, claim.executor());
            insert.setString(5, result);
            insert.executeUpdate();
        }
        notify(connection, "orth_completion");
    }

    /** Delivered when the transaction commits, once per transaction. An admin that misses the notification polls every second. */
    private static void notify(Connection connection, String channel) throws SQLException {
        try (PreparedStatement notify = connection.prepareStatement("select pg_notify(?, '')")) {
            notify.setString(1, channel);
            notify.execute();
        }
    }

    private void insert(Connection connection, String queue, List<Map<String, Object>> messages) throws SQLException {
        requireTransaction(connection, "push");
        try (PreparedStatement insert = connection.prepareStatement(
                "insert into %s (queue, messages) values (?, cast(? as jsonb))".formatted(prefix + INBOX))) {
            for (int start = 0; start < messages.size(); ) {
                int end = Parts.end(messages, start, PART_MESSAGES, PART_BYTES);
                insert.setString(1, queue);
                insert.setString(2, new String(Json.write(messages.subList(start, end)), StandardCharsets.UTF_8));
                insert.addBatch();
                start = end;
            }
            insert.executeBatch();
        }
        notify(connection, "orth_inbox");
    }
}
