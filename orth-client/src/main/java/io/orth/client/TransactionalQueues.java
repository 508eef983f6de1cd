package io.orth.client;

import io.orth.protocol.Json;
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
 * Pushes messages inside the application's own transaction on Orth's database: they are there when it commits and were never there
 * when it rolls back. Messages of one transaction and queue keep their order. They get their ids when an admin takes them to their
 * queue, which is within a moment of the commit.
 *
 * <p>As safe for use by several threads as the connections are.
 */
public final class TransactionalQueues {

    /** Where an admin keeps its tables unless it is configured otherwise. */
    public static final String DEFAULT_SCHEMA = "orth";

    private static final String TABLE = "orth_message_inbox";
    private static final int PART_MESSAGES = 1_000;
    private static final long PART_BYTES = 1024 * 1024;

    /** Where a connection comes from that is in a transaction. */
    @FunctionalInterface
    public interface Connections {
        /** Calls {@code work} with the transaction's connection and gives the connection back. */
        void use(Work work) throws SQLException;
    }

    /** What is done with a connection. */
    @FunctionalInterface
    public interface Work {
        void on(Connection connection) throws SQLException;
    }

    private final Connections connections;
    private final Function<Object, String> payloads;
    private final String table;

    private TransactionalQueues(Connections connections, Function<Object, String> payloads, String table) {
        this.connections = connections;
        this.payloads = payloads;
        this.table = table;
    }

    /** In the transaction that is open on this connection. */
    public static TransactionalQueues in(Connection connection) {
        return over(work -> work.on(connection));
    }

    /** In the transaction that is open when something is pushed. */
    public static TransactionalQueues over(Connections connections) {
        return new TransactionalQueues(connections, PayloadJson::write, TABLE).schema(DEFAULT_SCHEMA);
    }

    /** Writes payloads that are no texts, such as with the application's own JSON mapper. */
    public TransactionalQueues payloads(Function<Object, String> value) {
        return new TransactionalQueues(connections, value, table);
    }

    /**
     * The schema that Orth's tables are in, {@value #DEFAULT_SCHEMA} by default, as the admin's {@code orth.database.schema}; if empty, the
     * search path of the connection decides.
     */
    public TransactionalQueues schema(String value) {
        String quoted = "\"%s\".".formatted(value.replace("\"", "\"\""));
        return new TransactionalQueues(connections, payloads, (value.isEmpty() ? "" : quoted) + TABLE);
    }

    /** @param payloadOrMessage a {@link Message}, a text, or anything that can be JSON */
    public void push(String queue, Object payloadOrMessage) {
        pushAll(queue, List.of(payloadOrMessage));
    }

    /** However many there are, they keep their order. */
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
            throw new OrthClientException(
                    0,
                    "DATABASE",
                    "the messages could not be put into Orth's inbox: " + e.getMessage(),
                    List.of(),
                    null,
                    e);
        }
    }

    private void insert(Connection connection, String queue, List<Map<String, Object>> messages) throws SQLException {
        if (connection.getAutoCommit()) {
            throw new IllegalStateException(
                    "there is no transaction for the push to be part of: the connection is in auto-commit mode");
        }
        try (PreparedStatement insert = connection.prepareStatement(
                "insert into %s (queue, messages) values (?, cast(? as jsonb))".formatted(table))) {
            for (int start = 0; start < messages.size(); ) {
                int end = Parts.end(messages, start, PART_MESSAGES, PART_BYTES);
                insert.setString(1, queue);
                insert.setString(2, new String(Json.write(messages.subList(start, end)), StandardCharsets.UTF_8));
                insert.addBatch();
                start = end;
            }
            insert.executeBatch();
        }
        // Told when the transaction commits, once however often it was said. Whoever does not hear it looks each
        // second.
        try (PreparedStatement notify = connection.prepareStatement("select pg_notify('orth_inbox', '')")) {
            notify.execute();
        }
    }
}
