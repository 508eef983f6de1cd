package io.orth.admin.queue;

import io.orth.admin.kernel.OrthException;
import java.time.Instant;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What applications pushed inside their own transactions and could not be put into its queue: somebody has to decide about it. */
public final class Inbox {

    /** On it applications say that they have put something in. */
    static final String CHANNEL = "orth_inbox";

    /** @param messages the first 2,000 characters of what was to be pushed, a JSON array */
    public record Parked(long id, String queue, Instant createdAt, Instant parkedAt, String error, String messages) {}

    private static final String SELECT = """
            select id, queue, created_at, parked_at, error, left(messages::text, 2000) as messages from orth_message_inbox
            """;

    private static final String PARKED =
            SELECT + " where parked_at is not null and id > :after order by id limit :limit";

    private static final String PARKED_ONE = SELECT + " where parked_at is not null and id = :id";

    private static final String RETRY = """
            update orth_message_inbox set parked_at = null, error = null where id = :id and parked_at is not null
            """;

    private static final String DISCARD = "delete from orth_message_inbox where id = :id and parked_at is not null";

    private final JdbcClient jdbc;
    private final Runnable wake;

    /** @param wake lets what waits be pushed */
    Inbox(JdbcClient jdbc, Runnable wake) {
        this.jdbc = jdbc;
        this.wake = wake;
    }

    /** The oldest first. */
    public List<Parked> parked(long after, int limit) {
        return jdbc.sql(PARKED)
                .param("after", after)
                .param("limit", limit)
                .query(Parked.class)
                .list();
    }

    /** Lets it be pushed again; it is parked anew if that does not help. */
    public Parked retry(long id) {
        Parked parked = change(RETRY, id);
        wake.run();
        return parked;
    }

    /** Throws it away. */
    public Parked discard(long id) {
        return change(DISCARD, id);
    }

    /** Returns it as it was. */
    private Parked change(String statement, long id) {
        Parked parked = jdbc.sql(PARKED_ONE)
                .param("id", id)
                .query(Parked.class)
                .optional()
                .orElseThrow(() -> OrthException.notFound("parked push", id));
        jdbc.sql(statement).param("id", id).update();
        return parked;
    }
}
