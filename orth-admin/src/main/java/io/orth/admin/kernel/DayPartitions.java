package io.orth.admin.kernel;

import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Partitions of a table by UTC day. The caller owns the transaction and uses a separate one for each call. */
public final class DayPartitions {

    /** A waiting exclusive lock request blocks all later requests for the table, so it must not wait long. */
    private static final String BE_BRIEF = "set local lock_timeout = '2s'";

    private static final String LIST = """
            select c.relname
              from pg_inherits i
              join pg_class c on c.oid = i.inhrelid
             where i.inhparent = :table::regclass
               and c.relname ~ :pattern
             order by c.relname
            """;

    private final JdbcClient jdbc;
    private final String table;
    private final String addFunction;

    /**
     * @param table parent table; partitions are named after it and the day
     * @param addFunction database function that adds the partition of a day
     */
    public DayPartitions(JdbcClient jdbc, String table, String addFunction) {
        this.jdbc = jdbc;
        this.table = table;
        this.addFunction = addFunction;
    }

    /** Adds the partition of {@code day}; does nothing if it exists. */
    public boolean add(LocalDate day) {
        jdbc.sql(BE_BRIEF).update();
        return jdbc.sql("select %s(:day)".formatted(addFunction))
                .param("day", day)
                .query(Boolean.class)
                .single();
    }

    public List<LocalDate> list() {
        return jdbc.sql(LIST)
                .param("table", table)
                .param("pattern", "^%s_[0-9]{8}$".formatted(table))
                .query((row, n) -> LocalDate.parse(
                        row.getString(1).substring(table.length() + 1), DateTimeFormatter.BASIC_ISO_DATE))
                .list();
    }

    public void drop(LocalDate day) {
        jdbc.sql(BE_BRIEF).update();
        jdbc.sql("drop table if exists %s_%s".formatted(table, DateTimeFormatter.BASIC_ISO_DATE.format(day)))
                .update();
    }
}
