package io.orth.admin.triggering.routing;

import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.SqlRows;
import io.orth.admin.run.Run;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Turn numbers for ROUND. The claim that fires a job numbers its runs; other runs get the next number here, which is added to the job's
 * row later. Not thread-safe.
 */
final class Turns {

    private static final String TURNS = "select id, turn from orth_job where id = any(:jobs)";

    private static final String ADD_TURNS = """
            with locked as (
                select id from orth_job where id = any(:jobs) order by id for no key update
            )
            update orth_job j
               set turn = j.turn + t.taken
              from unnest(:jobs, :taken) as t(id, taken), locked l
             where j.id = t.id
               and j.id = l.id
               and j.id = any(:jobs)
            """;

    private final JdbcClient jdbc;
    private Map<Integer, Long> stored = Map.of();
    private final Map<Integer, Integer> taken = new HashMap<>();

    Turns(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    void load(Collection<Integer> jobs) {
        stored = jobs.isEmpty()
                ? Map.of()
                : SqlRows.byId(
                        jdbc.sql(TURNS).param("jobs", SqlArrays.integers(jobs, id -> id)),
                        Integer.class,
                        (row, n) -> row.getLong("turn"));
    }

    long of(Run run) {
        Long turn = run.route().turn();
        if (turn != null) {
            return turn;
        }
        return stored.getOrDefault(run.jobId(), 0L) + taken.merge(run.jobId(), 1, Integer::sum) - 1;
    }

    /** Stores the numbers taken since the last call. */
    void flush() {
        if (!taken.isEmpty()) {
            Map<Integer, Integer> written = Map.copyOf(taken);
            taken.clear();
            jdbc.sql(ADD_TURNS)
                    .param("jobs", SqlArrays.integers(written.entrySet(), Map.Entry::getKey))
                    .param("taken", SqlArrays.integers(written.entrySet(), Map.Entry::getValue))
                    .update();
        }
    }
}
