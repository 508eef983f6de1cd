package io.orth.admin.triggering.routing;

import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.SqlRows;
import io.orth.admin.triggering.routing.Uses.Use;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;

/** SQL of what routing remembers. Each method is one statement. */
final class RouteRepository {

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

    private static final String USES =
            "select job_id, address, uses, last_used_at from orth_route_use where job_id = any(:jobs)";

    private static final String ADD_USES = """
            insert into orth_route_use as u (job_id, address, uses, last_used_at)
            select * from unnest(:jobs, :addresses, :uses, :times) as w(job_id, address, uses, last_used_at)
            on conflict (job_id, address) do update
               set uses = case when date_trunc('day', u.last_used_at, 'UTC') = date_trunc('day', excluded.last_used_at, 'UTC')
                               then u.uses + excluded.uses else excluded.uses end,
                   last_used_at = greatest(u.last_used_at, excluded.last_used_at)
            """;

    private static final String PRUNE = """
            delete from orth_route_use
             where ctid = any(array(select ctid
                                      from orth_route_use
                                     where last_used_at < now() - make_interval(secs => :age)
                                     order by last_used_at
                                     limit :limit))
               and last_used_at < now() - make_interval(secs => :age)
            """;

    private final JdbcClient jdbc;

    RouteRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    Map<Integer, Long> turns(Collection<Integer> jobs) {
        return SqlRows.byId(
                jdbc.sql(TURNS).param("jobs", SqlArrays.integers(jobs, id -> id)),
                Integer.class,
                (row, n) -> row.getLong("turn"));
    }

    void addTurns(Map<Integer, Integer> taken) {
        jdbc.sql(ADD_TURNS)
                .param("jobs", SqlArrays.integers(taken.entrySet(), Map.Entry::getKey))
                .param("taken", SqlArrays.integers(taken.entrySet(), Map.Entry::getValue))
                .update();
    }

    List<Use> uses(Collection<Integer> jobs) {
        return jdbc.sql(USES)
                .param("jobs", SqlArrays.integers(jobs, id -> id))
                .query((row, n) -> new Use(
                        row.getInt("job_id"),
                        row.getString("address"),
                        row.getLong("uses"),
                        SqlRows.instant(row, "last_used_at")))
                .list();
    }

    /** In one order on all nodes, or two of them could wait for each other. */
    void addUses(Collection<Use> uses) {
        List<Use> sorted = uses.stream()
                .sorted(Comparator.comparingInt(Use::jobId).thenComparing(Use::address))
                .toList();
        jdbc.sql(ADD_USES)
                .param("jobs", SqlArrays.integers(sorted, Use::jobId))
                .param("addresses", SqlArrays.texts(sorted, Use::address))
                .param("uses", SqlArrays.bigints(sorted, Use::count))
                .param("times", SqlArrays.instants(sorted, Use::last))
                .update();
    }

    /** Forgets what was not used for {@code age}; returns how many. */
    int prune(Duration age, int limit) {
        return jdbc.sql(PRUNE)
                .param("age", age.toMillis() / 1000.0)
                .param("limit", limit)
                .update();
    }
}
