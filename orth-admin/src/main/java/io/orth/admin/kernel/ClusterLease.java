package io.orth.admin.kernel;

import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The exclusive right to perform one duty, held by one node of the cluster at a time. Expiry is decided by database time.
 *
 * <p>Each new holder gets a higher term. A holder that was suspended beyond its lease is fenced: {@link #confirm} in each of its
 * transactions fails once another node has taken over.
 */
public final class ClusterLease {

    /** Notification channel for released leases; the payload is the duty. */
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
     * A node that takes over waits for this row lock. If the holder freezes inside the transaction, the database ends its session after 3
     * s, before the lease expires.
     */
    private static final String CONFIRM = """
            select term, set_config('idle_in_transaction_session_timeout', '3s', true)
              from orth_lease
             where duty = :duty and holder = :holder and term = :term and expires_at > now()
               for share
            """;

    /** Notifies all nodes, so the next holder need not wait for its next poll. */
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

    /** Takes a free or expired lease, or renews this node's own. Returns its term; empty while another node holds the lease. */
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

    /** Returns whether {@code term} is still held and locks the lease row, so it cannot be taken before the caller's transaction ends. */
    public boolean confirm(long term) {
        return jdbc.sql(CONFIRM)
                .params(Map.of("duty", duty, "holder", node.id(), "term", term))
                .query((row, n) -> row.getLong("term"))
                .optional()
                .isPresent();
    }

    /** Releases the lease, so the next node can take over immediately. */
    public void release() {
        ReservedConnections.call(() -> jdbc.sql(RELEASE)
                .params(Map.of("duty", duty, "holder", node.id()))
                .query(String.class)
                .optional());
    }
}
