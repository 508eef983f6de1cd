package io.orth.admin.registry;

import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.SqlRows;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import org.springframework.jdbc.core.simple.JdbcClient;

/** SQL of rejected registrations. */
final class RejectionRepository {

    /** In the order of their keys, so that nodes do not block each other. Only a new row has no earlier version. */
    private static final String ADD = """
            insert into orth_rejected_registration as r
                   (peer, group_name, address, reason, message, attempts, first_seen_at, last_seen_at)
            select peer, group_name, address, reason, message, attempts, now(), now()
              from unnest(:peers, :groups, :addresses, :reasons, :messages, :attempts)
                as n(peer, group_name, address, reason, message, attempts)
             order by peer, group_name, address, reason
            on conflict (peer, group_name, address, reason) do update
               set attempts = r.attempts + excluded.attempts, message = excluded.message, last_seen_at = now()
            returning peer, group_name, address, reason, message, xmax = 0 as is_new
            """;

    private static final String PRUNE = """
            delete from orth_rejected_registration
             where last_seen_at < now() - make_interval(secs => :age)
                or ctid = any(array(select ctid
                                      from orth_rejected_registration
                                     order by last_seen_at desc, first_seen_at, peer, group_name, address, reason
                                    offset :max))
            """;

    private static final String LIST = """
            select peer, group_name, address, reason, message, attempts, first_seen_at, last_seen_at
              from orth_rejected_registration
             where last_seen_at >= now() - make_interval(secs => :age)
             order by last_seen_at desc, peer, group_name, address, reason
             limit :limit
            """;

    private record Added(RejectedAttempt attempt, boolean isNew) {}

    private final JdbcClient jdbc;

    RejectionRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Adds to how often each was rejected; returns those that were not there yet. */
    List<RejectedAttempt> add(Map<RejectedAttempt, Long> counted) {
        Collection<Entry<RejectedAttempt, Long>> rows = counted.entrySet();
        return jdbc
                .sql(ADD)
                .param("peers", SqlArrays.texts(rows, row -> row.getKey().peer()))
                .param("groups", SqlArrays.texts(rows, row -> row.getKey().groupName()))
                .param("addresses", SqlArrays.texts(rows, row -> row.getKey().address()))
                .param(
                        "reasons",
                        SqlArrays.texts(rows, row -> row.getKey().reason().name()))
                .param("messages", SqlArrays.texts(rows, row -> row.getKey().message()))
                .param("attempts", SqlArrays.bigints(rows, Entry::getValue))
                .query((row, n) -> new Added(attempt(row), row.getBoolean("is_new")))
                .list()
                .stream()
                .filter(Added::isNew)
                .map(Added::attempt)
                .toList();
    }

    /** Keeps the {@code max} that were seen last, and none that was not seen for {@code age}. */
    void prune(Duration age, int max) {
        jdbc.sql(PRUNE).param("age", age.toMillis() / 1000.0).param("max", max).update();
    }

    /** Those seen within {@code age}, the last one first. */
    List<RejectedRegistration> list(Duration age, int limit) {
        return jdbc.sql(LIST)
                .param("age", age.toMillis() / 1000.0)
                .param("limit", limit)
                .query((row, n) -> new RejectedRegistration(
                        attempt(row),
                        row.getLong("attempts"),
                        SqlRows.instant(row, "first_seen_at"),
                        SqlRows.instant(row, "last_seen_at")))
                .list();
    }

    private static RejectedAttempt attempt(ResultSet row) throws SQLException {
        return new RejectedAttempt(
                row.getString("peer"),
                row.getString("group_name"),
                row.getString("address"),
                RejectionReason.valueOf(row.getString("reason")),
                row.getString("message"));
    }
}
