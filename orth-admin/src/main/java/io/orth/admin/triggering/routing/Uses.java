package io.orth.admin.triggering.routing;

import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.SqlRows;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Use of each executor by each job, across all nodes: count of today (UTC) and time of the last use. This node's uses are stored later,
 * in batches. Not thread-safe.
 */
final class Uses {

    /** @param count count for the day of {@code last} */
    record Use(int jobId, String address, long count, Instant last) {}

    private record Key(int jobId, String address) {}

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
    private final Clock clock;
    private Map<Key, Use> stored = Map.of();
    private final Map<Key, Use> added = new HashMap<>();
    private Instant newest = Instant.EPOCH;

    Uses(JdbcClient jdbc, Clock clock) {
        this.jdbc = jdbc;
        this.clock = clock;
    }

    void load(Collection<Integer> jobs) {
        stored = new HashMap<>();
        if (!jobs.isEmpty()) {
            jdbc.sql(USES).param("jobs", SqlArrays.integers(jobs, id -> id)).query(row -> {
                Use use = new Use(
                        row.getInt("job_id"),
                        row.getString("address"),
                        row.getLong("uses"),
                        SqlRows.instant(row, "last_used_at"));
                stored.put(new Key(use.jobId(), use.address()), use);
            });
        }
    }

    /** Returns the count of today; empty if there was no use today. */
    Optional<Long> today(int jobId, String address) {
        Key key = new Key(jobId, address);
        long count = countToday(stored.get(key)) + countToday(added.get(key));
        return count == 0 ? Optional.empty() : Optional.of(count);
    }

    private long countToday(Use use) {
        boolean isOfToday = use != null && !use.last().isBefore(clock.instant().truncatedTo(ChronoUnit.DAYS));
        return isOfToday ? use.count() : 0;
    }

    Instant last(int jobId, String address) {
        Key key = new Key(jobId, address);
        return Stream.of(stored, added)
                .map(uses -> uses.get(key))
                .filter(Objects::nonNull)
                .map(Use::last)
                .max(Comparator.naturalOrder())
                .orElse(Instant.MIN);
    }

    /** @param newcomer count to start from if the executor had no use today */
    void add(int jobId, String address, long newcomer) {
        long more = today(jobId, address).isPresent() ? 1 : newcomer + 1;
        Key key = new Key(jobId, address);
        added.put(key, new Use(jobId, address, countToday(added.get(key)) + more, stamp()));
    }

    /** Returns unique timestamps, which preserve the order within a batch. */
    private Instant stamp() {
        Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        newest = now.isAfter(newest) ? now : newest.plus(1, ChronoUnit.MICROS);
        return newest;
    }

    /** Stores the uses since the last call, in the same row order on all nodes, which avoids deadlocks. */
    void flush() {
        if (!added.isEmpty()) {
            List<Use> written = added.values().stream()
                    .sorted(Comparator.comparingInt(Use::jobId).thenComparing(Use::address))
                    .toList();
            added.clear();
            jdbc.sql(ADD_USES)
                    .param("jobs", SqlArrays.integers(written, Use::jobId))
                    .param("addresses", SqlArrays.texts(written, Use::address))
                    .param("uses", SqlArrays.bigints(written, Use::count))
                    .param("times", SqlArrays.instants(written, Use::last))
                    .update();
        }
    }

    /** Deletes uses older than {@code age}; returns their number. Thread-safe. */
    int prune(Duration age, int limit) {
        return jdbc.sql(PRUNE)
                .param("age", age.toMillis() / 1000.0)
                .param("limit", limit)
                .update();
    }
}
