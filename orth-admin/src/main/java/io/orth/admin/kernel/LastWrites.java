package io.orth.admin.kernel;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcOperations;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Statements whose results the rest of the transaction does not need. They are sent to the database together, just before the commit,
 * because a round trip costs more than most of them.
 */
@Component
public final class LastWrites {

    private static final int MOST_AT_ONCE = 8;
    private static final Pattern PARAMETER = Pattern.compile("(?<![:\\w]):(\\w+)");

    /** A statement at a position of the joined text, which makes its parameter names unique. */
    private record Placed(String sql, int place) {

        String text() {
            return PARAMETER.matcher(sql).replaceAll(":" + prefix() + "$1");
        }

        String prefix() {
            return "at" + place + "_";
        }
    }

    private record Write(String sql, MapSqlParameterSource values, LongConsumer answer) {}

    private final NamedParameterJdbcOperations jdbc;
    private final Map<Placed, String> texts = new ConcurrentHashMap<>();

    public LastWrites(DataSource database) {
        this.jdbc = new NamedParameterJdbcTemplate(database);
    }

    /** Adds a statement to the caller's transaction. */
    public void add(String sql, MapSqlParameterSource values) {
        add(sql, values, number -> {});
    }

    /**
     * Adds a statement to the caller's transaction.
     *
     * @param answer receives the number the statement returns, or the count of rows it changes
     */
    public void add(String sql, MapSqlParameterSource values, LongConsumer answer) {
        pending().add(new Write(sql, values, answer));
    }

    /** Sends pending statements now, for code in the same transaction that reads their effects. */
    public void send() {
        pending().send();
    }

    private Pending pending() {
        for (TransactionSynchronization each : TransactionSynchronizationManager.getSynchronizations()) {
            if (each instanceof Pending pending && pending.owner() == this) {
                return pending;
            }
        }
        Pending pending = new Pending();
        TransactionSynchronizationManager.registerSynchronization(pending);
        return pending;
    }

    private final class Pending implements TransactionSynchronization {

        private final List<Write> writes = new ArrayList<>();

        LastWrites owner() {
            return LastWrites.this;
        }

        void add(Write write) {
            writes.add(write);
            if (writes.size() == MOST_AT_ONCE) {
                send();
            }
        }

        @Override
        public void beforeCommit(boolean readOnly) {
            send();
        }

        private void send() {
            if (!writes.isEmpty()) {
                execute(List.copyOf(writes));
                writes.clear();
            }
        }
    }

    private void execute(List<Write> writes) {
        List<String> all = new ArrayList<>(writes.size());
        MapSqlParameterSource values = new MapSqlParameterSource();
        for (int place = 0; place < writes.size(); place++) {
            Write write = writes.get(place);
            Placed placed = new Placed(write.sql(), place);
            all.add(texts.computeIfAbsent(placed, Placed::text));
            for (String name : write.values().getParameterNames()) {
                values.addValue(
                        placed.prefix() + name,
                        write.values().getValue(name),
                        write.values().getSqlType(name));
            }
        }
        jdbc.execute(String.join(";\n", all), values, statement -> {
            answer(statement, writes);
            return null;
        });
    }

    private static void answer(PreparedStatement statement, List<Write> writes) throws SQLException {
        boolean hasRows = statement.execute();
        for (Write write : writes) {
            if (hasRows) {
                try (ResultSet rows = statement.getResultSet()) {
                    rows.next();
                    write.answer().accept(rows.getLong(1));
                }
            } else {
                write.answer().accept(statement.getUpdateCount());
            }
            hasRows = statement.getMoreResults();
        }
    }
}
