package io.orth.admin.queue;

import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.SqlRows;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;

/** SQL of pushes that wait in the inbox. {@link Inbox} has the SQL of parked pushes. */
final class InboxRepository {

    private static final String NEXT_QUEUE = """
            select queue from orth_message_inbox where parked_at is null and queue > :after order by queue limit 1
            """;

    /** Excludes other nodes, but neither pushes nor claims. Lock order as in a pause: gate, then row. So the two cannot deadlock. */
    private static final String LOCK_QUEUE = "select id from orth_queue where id = :queue"
            + QueueRepository.THROUGH_THE_GATE
            + " for no key update skip locked";

    /** The oldest entries that fit into {@code :bytes}, and at least one. */
    private static final String TAKE = """
            select i.id, i.messages, i.created_at
              from (select id, sum(size) over (order by id) - size as before
                      from (select id, size
                              from orth_message_inbox
                             where queue = :queue
                               and parked_at is null
                             order by id
                             limit :limit
                               for update) waiting) fitting
             cross join lateral (select id, messages::text as messages, created_at from orth_message_inbox where id = fitting.id) i
             where fitting.before < :bytes
             order by i.id
            """;

    private static final String DELETE = "delete from orth_message_inbox where id = any(:ids) and parked_at is null";

    private static final String PARK = """
            update orth_message_inbox i
               set parked_at = now(), error = p.error
              from unnest(:ids, :errors) as p(id, error)
             where i.id = any(:ids)
               and i.id = p.id
               and i.parked_at is null
            """;

    record Entry(long id, String messages, Instant createdAt) {}

    /** An entry that cannot be pushed, and the reason. */
    record Refused(long id, String error) {}

    private final JdbcClient jdbc;

    InboxRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Returns the first queue, by name, after this one that has waiting pushes. */
    Optional<String> queueAfter(String name) {
        return jdbc.sql(NEXT_QUEUE).param("after", name).query(String.class).optional();
    }

    /** Locks the queue until the transaction ends. Returns false if another node has locked it. */
    boolean lock(Queue queue) {
        return jdbc.sql(LOCK_QUEUE)
                .param("queue", queue.id())
                .query(Integer.class)
                .optional()
                .isPresent();
    }

    List<Entry> take(String queue, int limit, long bytes) {
        return jdbc.sql(TAKE)
                .param("queue", queue)
                .param("limit", limit)
                .param("bytes", bytes)
                .query((row, n) ->
                        new Entry(row.getLong("id"), row.getString("messages"), SqlRows.instant(row, "created_at")))
                .list();
    }

    void delete(Collection<Long> ids) {
        if (ids.isEmpty()) {
            return;
        }
        jdbc.sql(DELETE).param("ids", SqlArrays.bigints(ids, id -> id)).update();
    }

    void park(Collection<Refused> refused) {
        if (refused.isEmpty()) {
            return;
        }
        jdbc.sql(PARK)
                .param("ids", SqlArrays.bigints(refused, Refused::id))
                .param("errors", SqlArrays.texts(refused, Refused::error))
                .update();
    }
}
