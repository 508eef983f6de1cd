package io.orth.admin.queue;

import io.orth.admin.kernel.OrthException;
import java.time.Instant;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Pushes that applications made inside their own transactions and that could not be moved to their queue. An operator has to decide about
 * them.
 */
public final class Inbox {

    /** Channel on which applications announce pushes. */
    static final String CHANNEL = "orth_inbox";

    /** @param messages the first 2,000 characters of the pushed messages, a JSON array */
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

    /** @param wake starts the next pass that moves pushes to their queues */
    Inbox(JdbcClient jdbc, Runnable wake) {
        this.jdbc = jdbc;
        this.wake = wake;
    }

    /** Returns parked pushes with ids above {@code after}, oldest first. */
    public List<Parked> parked(long after, int limit) {
        return jdbc.sql(PARKED)
                .param("after", after)
                .param("limit", limit)
                .query(Parked.class)
                .list();
    }

    /** Retries a parked push. It is parked again if it still fails. */
    public Parked retry(long id) {
        Parked parked = change(RETRY, id);
        wake.run();
        return parked;
    }

    /** Deletes a parked push. */
    public Parked discard(long id) {
        return change(DISCARD, id);
    }

    /** Returns the push as it was before the statement. */
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
