package io.orth.admin.kernel;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Stream;

/** Reading of columns that JDBC makes awkward, and the parameter form of an instant. */
public final class SqlRows {

    private SqlRows() {}

    public static Instant instant(ResultSet row, String column) throws SQLException {
        Timestamp value = row.getTimestamp(column);
        return value == null ? null : value.toInstant();
    }

    /** Of a column that has several; none where it has no value. */
    public static List<Instant> instants(ResultSet row, String column) throws SQLException {
        Array values = row.getArray(column);
        return values == null
                ? List.of()
                : Stream.of((Timestamp[]) values.getArray())
                        .map(Timestamp::toInstant)
                        .toList();
    }

    public static Long longOrNull(ResultSet row, String column) throws SQLException {
        long value = row.getLong(column);
        return row.wasNull() ? null : value;
    }

    public static Integer intOrNull(ResultSet row, String column) throws SQLException {
        int value = row.getInt(column);
        return row.wasNull() ? null : value;
    }

    public static OffsetDateTime timestamp(Instant instant) {
        return instant == null ? null : OffsetDateTime.ofInstant(instant, ZoneOffset.UTC);
    }
}
