package io.orth.admin.registry;

import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.SqlRows;
import io.orth.admin.registry.RejectedRegistrations.Counted;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.SimplePropertyRowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;

/** SQL of rejected registrations. */
final class RejectionRepository {

    /** Upserts in key order to prevent deadlocks between nodes. Only a newly inserted row has {@code xmax = 0}. */
    private static final String ADD = """
            with added as (
                insert into orth_rejected_registration as r
                       (peer, group_name, address, reason, message, attempts, first_seen_at, last_seen_at)
                select peer, group_name, address, reason, message, attempts, now(), now()
                  from unnest(:peers, :groups, :addresses, :reasons, :messages, :attempts)
                    as n(peer, group_name, address, reason, message, attempts)
                 order by peer, group_name, address, reason
                on conflict (peer, group_name, address, reason) do update
                   set attempts = r.attempts + excluded.attempts, message = excluded.message, last_seen_at = now()
                returning peer, group_name, address, reason, message, xmax = 0 as is_new
            )
            select peer, group_name, address, reason, message from added where is_new
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

    private static final RowMapper<RejectedAttempt> TO_ATTEMPT = new SimplePropertyRowMapper<>(RejectedAttempt.class);

    private final JdbcClient jdbc;

    RejectionRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Adds to the count of each rejection. Returns the rejections that were not stored yet. */
    List<RejectedAttempt> add(List<Counted> rows) {
        return jdbc.sql(ADD)
                .param("peers", SqlArrays.texts(rows, row -> row.last().peer()))
                .param("groups", SqlArrays.texts(rows, row -> row.last().groupName()))
                .param("addresses", SqlArrays.texts(rows, row -> row.last().address()))
                .param(
                        "reasons",
                        SqlArrays.texts(rows, row -> row.last().reason().name()))
                .param("messages", SqlArrays.texts(rows, row -> row.last().message()))
                .param("attempts", SqlArrays.bigints(rows, Counted::times))
                .query(TO_ATTEMPT)
                .list();
    }

    /** Keeps the {@code max} most recently seen rejections, and none older than {@code age}. */
    void prune(Duration age, int max) {
        jdbc.sql(PRUNE)
                .params(Map.of("age", age.toMillis() / 1000.0, "max", max))
                .update();
    }

    /** Returns the rejections seen within {@code age}, the most recently seen first. */
    List<RejectedRegistration> list(Duration age, int limit) {
        return jdbc.sql(LIST)
                .params(Map.of("age", age.toMillis() / 1000.0, "limit", limit))
                .query((row, n) -> new RejectedRegistration(
                        TO_ATTEMPT.mapRow(row, n),
                        row.getLong("attempts"),
                        SqlRows.instant(row, "first_seen_at"),
                        SqlRows.instant(row, "last_seen_at")))
                .list();
    }
}
