package io.orth.admin.kernel;

import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.function.Function;
import org.springframework.jdbc.core.SqlParameterValue;
import org.springframework.jdbc.support.SqlArrayValue;
import org.springframework.jdbc.support.SqlValue;

/** Columns of a bulk statement: one array parameter per column, for {@code unnest}. */
public final class SqlArrays {

    private SqlArrays() {}

    public static <T> SqlValue bigints(Collection<T> rows, Function<T, Long> column) {
        return array("bigint", rows.stream().map(column).toArray(Long[]::new));
    }

    public static <T> SqlValue integers(Collection<T> rows, Function<T, Integer> column) {
        return array("integer", rows.stream().map(column).toArray(Integer[]::new));
    }

    public static <T> SqlValue doubles(Collection<T> rows, Function<T, Double> column) {
        return array("float8", rows.stream().map(column).toArray(Double[]::new));
    }

    public static <T> SqlValue booleans(Collection<T> rows, Function<T, Boolean> column) {
        return array("boolean", rows.stream().map(column).toArray(Boolean[]::new));
    }

    public static <T> SqlValue texts(Collection<T> rows, Function<T, String> column) {
        return array("text", rows.stream().map(column).toArray(String[]::new));
    }

    public static SqlParameterValue noBigints() {
        return none("bigint");
    }

    public static SqlParameterValue noIntegers() {
        return none("integer");
    }

    public static SqlParameterValue noTexts() {
        return none("text");
    }

    public static <T> SqlValue instants(Collection<T> rows, Function<T, Instant> column) {
        return array(
                "timestamptz", rows.stream().map(column).map(SqlArrays::toText).toArray(String[]::new));
    }

    private static String toText(Instant instant) {
        return instant == null
                ? null
                : OffsetDateTime.ofInstant(instant, ZoneOffset.UTC).toString();
    }

    private static SqlValue array(String type, Object[] values) {
        return new SqlArrayValue(type, values);
    }

    /** Returns a typed null array. Without the type the statement would differ and be parsed and planned again. */
    private static SqlParameterValue none(String type) {
        return new SqlParameterValue(Types.ARRAY, type + "[]", null);
    }
}
