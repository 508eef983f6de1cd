package io.orth.admin.kernel;

import java.time.Instant;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Reads the admins on this database and the leases they hold. */
@Component
public final class Cluster {

    private static final String MEMBERS = """
            select number, node_id as id, host, pid, version, started_at
              from orth_node
             where expires_at > now()
             order by started_at, number
            """;

    private static final String SEATS = """
            select node_id as node, expires_at, expires_at > now() as alive
              from orth_node
             where node_id is not null
               and expires_at > '-infinity'
            """;

    private static final String DUTIES = """
            select duty, holder, term, acquired_at, nullif(expires_at, '-infinity') as expires_at, expires_at > now() as held
              from orth_lease
             order by duty
            """;

    /** A node whose lease has not expired. */
    public record Member(int number, String id, String host, long pid, String version, Instant startedAt) {}

    /**
     * A duty that one node performs for the whole cluster.
     *
     * @param holder id of the current or last holder
     * @param term number of holders so far
     * @param expiresAt null if the holder released the lease
     * @param held whether the lease has not expired
     */
    public record SingleDuty(
            String duty, String holder, long term, Instant acquiredAt, Instant expiresAt, boolean held) {}

    /**
     * A node number and the node that holds it, or held it last.
     *
     * @param expiresAt when the lease expires unless renewed; for a node that stopped gracefully, the time it stopped
     */
    public record Seat(String node, Instant expiresAt, boolean alive) {}

    private final JdbcClient jdbc;

    public Cluster(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Returns live nodes, ordered by start time. */
    public List<Member> members() {
        return jdbc.sql(MEMBERS).query(Member.class).list();
    }

    public List<Seat> seats() {
        return jdbc.sql(SEATS).query(Seat.class).list();
    }

    public List<SingleDuty> duties() {
        return jdbc.sql(DUTIES).query(SingleDuty.class).list();
    }
}
