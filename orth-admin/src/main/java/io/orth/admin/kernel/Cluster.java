package io.orth.admin.kernel;

import java.time.Instant;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** The admins on this database and what each of them does alone. */
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

    /** A node that is alive, as far as the others know. */
    public record Member(int number, String id, String host, long pid, String version, Instant startedAt) {}

    /**
     * A duty that one node does for all.
     *
     * @param holder the id of the node that has it, or had it last
     * @param term counts its holders
     * @param expiresAt null where its holder gave it back
     * @param held whether anybody has it now
     */
    public record SingleDuty(
            String duty, String holder, long term, Instant acquiredAt, Instant expiresAt, boolean held) {}

    /**
     * The place of a node, or of one that was there.
     *
     * @param expiresAt until when it has it, unless it is heard of again; when it stopped where it did so in good order
     */
    public record Seat(String node, Instant expiresAt, boolean alive) {}

    private final JdbcClient jdbc;

    public Cluster(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Those that were started first come first. */
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
