package io.orth.admin.kernel;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.function.Function;
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

    /** No array at all. */
    public static SqlValue noBigints() {
        return array("bigint", null);
    }

    /** No array at all. */
    public static SqlValue noIntegers() {
        return array("integer", null);
    }

    /** No array at all. */
    public static SqlValue noTexts() {
        return array("text", null);
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
        return new ArrayValue(type, values);
    }
}
