package io.orth.admin.kernel;

import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The right to do one duty, held by one node of the cluster at a time, by database time.
 *
 * <p>Each new holder gets a higher term. A holder that was paused past its lease is fenced: {@link #confirm} in each of
 * its transactions fails once another node has taken over.
 */
public final class ClusterLease {

    /** Where it is said which duty's lease was let go. */
    public static final String SIGNALS = "orth_lease";

    private static final String TAKE_OR_RENEW = """
            insert into orth_lease as l (duty, holder, term, acquired_at, expires_at)
            values (:duty, :holder, 1, now(), now() + make_interval(secs => :ttl))
            on conflict (duty) do update
               set holder = excluded.holder,
                   term = case when l.holder = excluded.holder then l.term else l.term + 1 end,
                   acquired_at = case when l.holder = excluded.holder then l.acquired_at else now() end,
                   expires_at = excluded.expires_at
             where l.holder = excluded.holder or l.expires_at < now()
            returning term
            """;

    /**
     * Whoever wants to take over waits for this lock. A holder that falls silent with it, frozen say, is cut off by the database well
     * before its lease has run out.
     */
    private static final String CONFIRM = """
            select term, set_config('idle_in_transaction_session_timeout', '3s', true)
              from orth_lease
             where duty = :duty and holder = :holder and term = :term and expires_at > now()
               for share
            """;

    /** Told to all nodes, so that the next one need not wait for its turn to look. */
    private static final String RELEASE = """
            with released as (
                update orth_lease
                   set expires_at = '-infinity'
                 where duty = :duty
                   and holder = :holder
                   and expires_at > now()
                returning duty
            )
            select pg_notify('%s', duty)::text from released
            """.formatted(SIGNALS);

    private final JdbcClient jdbc;
    private final String duty;
    private final Node node;
    private final Duration ttl;

    public ClusterLease(JdbcClient jdbc, String duty, Node node, Duration ttl) {
        this.jdbc = jdbc;
        this.duty = duty;
        this.node = node;
        this.ttl = ttl;
    }

    /** Takes a free or expired lease, or renews our own; returns its term, or nothing while another node holds it. */
    public OptionalLong hold() {
        return ReservedConnections.call(() -> jdbc
                .sql(TAKE_OR_RENEW)
                .params(Map.of("duty", duty, "holder", node.id(), "ttl", ttl.toMillis() / 1000.0))
                .query(Long.class)
                .optional()
                .stream()
                .mapToLong(Long::longValue)
                .findFirst());
    }

    /** In the caller's transaction: whether {@code term} still holds, and that it cannot be taken before the commit. */
    public boolean confirm(long term) {
        return jdbc.sql(CONFIRM)
                .params(Map.of("duty", duty, "holder", node.id(), "term", term))
                .query((row, n) -> row.getLong("term"))
                .optional()
                .isPresent();
    }

    /** Lets the next node take over at once. */
    public void release() {
        ReservedConnections.call(() -> jdbc.sql(RELEASE)
                .params(Map.of("duty", duty, "holder", node.id()))
                .query(String.class)
                .optional());
    }
}
