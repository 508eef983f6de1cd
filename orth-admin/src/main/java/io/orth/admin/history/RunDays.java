package io.orth.admin.history;

import io.orth.admin.kernel.RunIdGenerator;
import io.orth.admin.kernel.SqlRows;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The partitions of runs that are over, one for each day in UTC. Callers own the transaction, one for each call. */
final class RunDays {

    /** Whoever is ahead of us in the queue for the lock holds up all who come after us. */
    private static final String BE_BRIEF = "set local lock_timeout = '2s'";

    private static final String PREFIX = "orth_run_history_";

    private static final String LIST = """
            select c.relname
              from pg_inherits i
              join pg_class c on c.oid = i.inhrelid
             where i.inhparent = 'orth_run_history'::regclass
               and c.relname ~ '^orth_run_history_[0-9]{8}$'
             order by c.relname
            """;

    private static final String PRUNE_REST = """
            delete from orth_run_history_rest
             where id = any(array(select id
                                    from orth_run_history_rest
                                   where id < :id
                                     and finished_at < :before
                                   order by id
                                   limit :limit))
            """;

    private final JdbcClient jdbc;

    RunDays(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Does nothing where the day has its partition. */
    boolean add(LocalDate day) {
        jdbc.sql(BE_BRIEF).update();
        return jdbc.sql("select orth_add_run_day(:day)")
                .param("day", day)
                .query(Boolean.class)
                .single();
    }

    List<LocalDate> list() {
        return jdbc
                .sql(LIST)
                .query((row, n) ->
                        LocalDate.parse(row.getString(1).substring(PREFIX.length()), DateTimeFormatter.BASIC_ISO_DATE))
                .stream()
                .toList();
    }

    void drop(LocalDate day) {
        jdbc.sql(BE_BRIEF).update();
        jdbc.sql("drop table if exists " + PREFIX + DateTimeFormatter.BASIC_ISO_DATE.format(day))
                .update();
    }

    /** Of runs that ended when their day had no partition (any more), those over before {@code day}; returns how many. */
    int pruneRest(LocalDate day, int limit) {
        Instant before = day.atStartOfDay(ZoneOffset.UTC).toInstant();
        return jdbc.sql(PRUNE_REST)
                .param("id", RunIdGenerator.lowestIdAt(before))
                .param("before", SqlRows.timestamp(before))
                .param("limit", limit)
                .update();
    }
}
