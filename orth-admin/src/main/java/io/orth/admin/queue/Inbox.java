package io.orth.admin.queue;

import io.orth.admin.kernel.OrthException;
import java.time.Instant;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What applications pushed inside their own transactions and could not be put into its queue: somebody has to decide about it. */
public final class Inbox {

    /** On it applications say that they have put something in. */
    static final String CHANNEL = "orth_inbox";

    /**
     * A push that could not be.
     *
     * @param error why
     * @param messages the first 2,000 characters of what was to be pushed, a JSON array
     */
    public record Parked(long id, String queue, Instant createdAt, Instant parkedAt, String error, String messages) {}

    private final InboxRepository inbox;
    private final Runnable wake;

    /** @param wake lets what waits be pushed */
    Inbox(JdbcClient jdbc, Runnable wake) {
        this.inbox = new InboxRepository(jdbc);
        this.wake = wake;
    }

    /** The oldest first. */
    public List<Parked> parked(long after, int limit) {
        return inbox.parked(after, limit);
    }

    /** Lets it be pushed again; it is parked anew if that does not help. */
    public Parked retry(long id) {
        Parked parked = get(id);
        inbox.retry(id);
        wake.run();
        return parked;
    }

    /** Throws it away. */
    public Parked discard(long id) {
        Parked parked = get(id);
        inbox.discard(id);
        return parked;
    }

    private Parked get(long id) {
        return inbox.parked(id).orElseThrow(() -> OrthException.notFound("parked push", id));
    }
}
