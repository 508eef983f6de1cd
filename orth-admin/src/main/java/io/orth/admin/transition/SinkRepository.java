package io.orth.admin.transition;

import io.orth.admin.kernel.SqlArrays;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** SQL for the position of each sink. */
@Component
final class SinkRepository {

    private static final int LONGEST_ERROR = 1_000;

    /** A new sink starts at the current head. */
    private static final String ENTER = """
            insert into orth_sink as s (name, position)
            select n.name, h.position
              from unnest(:names) as n(name), orth_journal_head h
            on conflict (name) do update set used_at = now()
            """;

    private static final String TOOK = """
            update orth_sink
               set position = greatest(position, :position), emitted = emitted + :emitted, dropped = dropped + :dropped,
                   failed_in_row = 0, parked_since = null, last_error = null, emitted_at = now()
             where name = :name
            """;

    private static final String FAILED = """
            update orth_sink
               set failures = failures + 1, failed_in_row = failed_in_row + 1, last_error = :error,
                   parked_since = coalesce(parked_since, now())
             where name = :name
            """;

    private static final String SKIP = """
            update orth_sink
               set position = greatest(position, :position), dropped = dropped + :dropped
             where name = :name
            """;

    private static final String STATES = """
            select name, position, emitted, dropped, failures, failed_in_row, parked_since, last_error, emitted_at, used_at
              from orth_sink
            """;

    private static final String PRUNE = """
            delete from orth_sink
             where used_at < now() - make_interval(secs => :age)
               and name <> all(:names)
            returning name
            """;

    private final JdbcClient jdbc;

    SinkRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    void enter(Collection<String> names) {
        jdbc.sql(ENTER).param("names", SqlArrays.texts(names, name -> name)).update();
    }

    /** Returns the sink's position. A sink without a row starts at the current head. */
    long position(String name) {
        return jdbc.sql("""
                        select coalesce((select position from orth_sink where name = :name), position)
                          from orth_journal_head
                        """).param("name", name).query(Long.class).single();
    }

    /** Locks and returns the sink's state. Deliveries and failures are recorded only after the transaction ends. */
    SinkState lock(String name) {
        return jdbc.sql(STATES + " where name = :name for update")
                .param("name", name)
                .query(SinkState.class)
                .single();
    }

    void took(String name, long position, long emitted, long dropped) {
        jdbc.sql(TOOK)
                .params(Map.of("name", name, "position", position, "emitted", emitted, "dropped", dropped))
                .update();
    }

    void failed(String name, String error) {
        String said = error.replace('\0', '\uFFFD');
        jdbc.sql(FAILED)
                .param("name", name)
                .param("error", said.length() > LONGEST_ERROR ? said.substring(0, LONGEST_ERROR) + "…" : said)
                .update();
    }

    void skip(String name, long position, long dropped) {
        jdbc.sql(SKIP)
                .params(Map.of("name", name, "position", position, "dropped", dropped))
                .update();
    }

    List<SinkState> list() {
        return jdbc.sql(STATES + " order by name").query(SinkState.class).list();
    }

    /** Deletes sinks that no node has used for {@code age}, except {@code butFor}; returns the deleted names. */
    List<String> prune(Duration age, Collection<String> butFor) {
        return jdbc.sql(PRUNE)
                .param("age", age.toMillis() / 1000.0)
                .param("names", SqlArrays.texts(butFor, name -> name))
                .query(String.class)
                .list();
    }
}
