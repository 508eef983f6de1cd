package io.orth.admin.kernel;

import io.orth.runtime.Duty;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The lease on this node's number, and the range of run ids the node may issue.
 *
 * <p>The row's high-water mark is raised before ids up to it are issued, and the next holder of the number starts above it. Therefore
 * neither a restart nor a clock that was set back issues an id twice.
 */
public final class NodeLease implements Duty {

    static final Duration TTL = Duration.ofSeconds(10);
    public static final Duration RENEW_EVERY = Duration.ofSeconds(2);

    private static final String ACQUIRE = """
            with free as (
                select number, id_high_water
                  from orth_node
                 where expires_at < now()
                 order by id_high_water, number
                 limit 1
                   for update skip locked
            )
            update orth_node n
               set node_id = :node, host = :host, pid = :pid, version = :version, started_at = now(), term = n.term + 1,
                   expires_at = now() + make_interval(secs => :ttl),
                   id_high_water = greatest(n.id_high_water, (extract(epoch from now()) * 1000)::bigint - :epoch + :ahead)
              from free
             where n.number = free.number
            returning n.number, n.term, free.id_high_water as floor, n.id_high_water as ceiling
            """;

    private static final String RENEW = """
            update orth_node
               set expires_at = now() + make_interval(secs => :ttl),
                   id_high_water = greatest(id_high_water, (extract(epoch from now()) * 1000)::bigint - :epoch + :ahead)
             where number = :number
               and term = :term
               and expires_at > now()
            returning number, term, :floor::bigint as floor, id_high_water as ceiling
            """;

    private static final String RELEASE =
            "update orth_node set expires_at = now() where number = :number and term = :term";

    private final JdbcClient jdbc;
    private final Node node;
    private final Ticker ticker;
    private final Duration ttl;
    private volatile Held held;

    /**
     * A node number held until the ticker passes {@code untilNanos}.
     *
     * @param floor exclusive lower bound of the time in ids
     * @param ceiling inclusive upper bound of the time in ids
     */
    record Held(int number, long term, long floor, long ceiling, long untilNanos) {}

    public NodeLease(JdbcClient jdbc, Node node, Ticker ticker) {
        this(jdbc, node, ticker, TTL);
    }

    /** Acquires a lease for {@code ttl}, which is also how far ahead of time ids are reserved. */
    public NodeLease(JdbcClient jdbc, Node node, Ticker ticker, Duration ttl) {
        this.jdbc = jdbc;
        this.node = node;
        this.ticker = ticker;
        this.ttl = ttl;
        this.held = acquire();
    }

    public int number() {
        return held().number();
    }

    /** Returns the current lease. Throws if it may have expired, so that no id is issued under a number another node may hold. */
    Held held() {
        Held current = held;
        if (ticker.nanos() - current.untilNanos() >= 0) {
            throw OrthException.of(ErrorCode.UNAVAILABLE, "this node has lost touch with the database");
        }
        return current;
    }

    /** Renews the lease. An expired lease is replaced by a new one, with a new term and possibly a new number. */
    @Override
    public Pass run() {
        held = renew(held).orElseGet(this::acquire);
        return Pass.DRAINED;
    }

    public void release() {
        jdbc.sql(RELEASE)
                .params(Map.of("number", held.number(), "term", held.term()))
                .update();
    }

    private Held acquire() {
        long asked = ticker.nanos();
        return jdbc.sql(ACQUIRE)
                .params(Map.of("node", node.id(), "host", node.host(), "pid", node.pid(), "version", node.version()))
                .params(reach())
                .query(heldSince(asked))
                .optional()
                .orElseThrow(() -> OrthException.of(
                        ErrorCode.UNAVAILABLE,
                        "64 admin nodes are running on this database, which is the most there can be"));
    }

    private Optional<Held> renew(Held current) {
        long asked = ticker.nanos();
        return jdbc.sql(RENEW)
                .params(Map.of("number", current.number(), "term", current.term(), "floor", current.floor()))
                .params(reach())
                .query(heldSince(asked))
                .optional();
    }

    private Map<String, Long> reach() {
        return Map.of("ttl", ttl.toSeconds(), "epoch", RunIdGenerator.EPOCH_MILLIS, "ahead", ttl.toMillis());
    }

    private RowMapper<Held> heldSince(long askedNanos) {
        return (row, n) -> new Held(
                row.getInt("number"),
                row.getLong("term"),
                row.getLong("floor"),
                row.getLong("ceiling"),
                askedNanos + ttl.toNanos());
    }
}
