package io.orth.admin.kernel;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;

/** Helpers to read columns that JDBC handles awkwardly, and to bind instants. */
public final class SqlRows {

    private SqlRows() {}

    public static Instant instant(ResultSet row, String column) throws SQLException {
        Timestamp value = row.getTimestamp(column);
        return value == null ? null : value.toInstant();
    }

    /** Reads an array column; empty if it is null. */
    public static List<Instant> instants(ResultSet row, String column) throws SQLException {
        Array values = row.getArray(column);
        return values == null
                ? List.of()
                : Stream.of((Timestamp[]) values.getArray())
                        .map(Timestamp::toInstant)
                        .toList();
    }

    /** Returns the rows by their column {@code id}, whose type is {@code key}. */
    public static <K, T> Map<K, T> byId(StatementSpec statement, Class<K> key, RowMapper<T> mapper) {
        Map<K, T> found = new HashMap<>();
        statement.query(row -> {
            found.put(row.getObject("id", key), mapper.mapRow(row, found.size()));
        });
        return found;
    }

    public static Long longOrNull(ResultSet row, String column) throws SQLException {
        long value = row.getLong(column);
        return row.wasNull() ? null : value;
    }

    public static Integer intOrNull(ResultSet row, String column) throws SQLException {
        int value = row.getInt(column);
        return row.wasNull() ? null : value;
    }

    /** Reads the columns common to all tables with a backoff; null if they are null. */
    public static Backoff backoff(ResultSet row) throws SQLException {
        Long initialDelay = longOrNull(row, "backoff_initial_ms");
        return initialDelay == null
                ? null
                : new Backoff(
                        Duration.ofMillis(initialDelay),
                        row.getDouble("backoff_multiplier"),
                        Duration.ofMillis(row.getLong("backoff_max_ms")),
                        row.getDouble("backoff_jitter"));
    }

    /** Binds the values for these columns. */
    public static StatementSpec bind(StatementSpec statement, RetryPolicy retry) {
        return statement
                .param("maxAttempts", retry.maxAttempts())
                .param("initialDelay", retry.backoff().initialDelay().toMillis())
                .param("multiplier", retry.backoff().multiplier())
                .param("maxDelay", retry.backoff().maxDelay().toMillis())
                .param("jitter", retry.backoff().jitter());
    }

    public static OffsetDateTime timestamp(Instant instant) {
        return instant == null ? null : OffsetDateTime.ofInstant(instant, ZoneOffset.UTC);
    }
}
