package io.orth.admin.queue;

import static io.orth.admin.queue.MessageRepository.partOf;

import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.SqlRows;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Unique keys and ordering keys of the messages of one queue. Callers own the transaction. */
final class MessageKeys {

    /**
     * Returns the message that holds the key afterwards. Locks the row in either case, so that the key is not released before the commit.
     */
    private static final String TAKE = """
            insert into orth_message_key as k (queue_id, key, message_id, until)
            select :queue, w.key, w.id, coalesce(:at + w.millis * interval '1 millisecond', 'infinity')
              from unnest(:keys, :ids, :millis) as w(key, id, millis)
             order by w.key
            on conflict (queue_id, key) do update
               set message_id = case when k.until <= :at then excluded.message_id else k.message_id end,
                   until = case when k.until <= :at then excluded.until else k.until end
            returning k.key, k.message_id
            """;

    /** For retried messages. If another message has taken the key, it keeps it. */
    private static final String REGAIN = """
            insert into orth_message_key as k (queue_id, key, message_id, until)
            select :queue, w.key, w.id, 'infinity'
              from unnest(:keys, :ids) as w(key, id)
             order by w.key
            on conflict (queue_id, key) do update
               set message_id = excluded.message_id, until = excluded.until
             where k.until <= :at
            """;

    /** Joins by key again: another transaction may have updated, and so moved, the row before it was locked. */
    private static final String RELEASE = """
            with locked as (
                select key from orth_message_key where queue_id = :queue and key = any(:keys) order by key for update
            )
            delete from orth_message_key k
             using locked l, unnest(:keys, :ids) as w(key, id)
             where k.queue_id = :queue
               and k.key = any(:keys)
               and k.key = l.key
               and k.key = w.key
               and k.message_id = w.id
               and k.until = 'infinity'
            """;

    private static final String JOIN = """
            insert into orth_message_group as g (queue_id, key, open)
            select :queue, w.key, w.messages
              from unnest(:keys, :counts) as w(key, messages)
             order by w.key
            on conflict (queue_id, key) do update set open = g.open + excluded.open
            returning g.key, g.open
            """;

    private static final String LEAVE = """
            with locked as (
                select key from orth_message_group where queue_id = :queue and key = any(:keys) order by key for update
            )
            update orth_message_group g
               set open = g.open - w.messages
              from locked l, unnest(:keys, :counts) as w(key, messages)
             where g.queue_id = :queue
               and g.key = any(:keys)
               and g.key = l.key
               and g.key = w.key
            """;

    private static final String FORGET = """
            delete from orth_message_group where queue_id = :queue and key = any(:keys) and open = 0
            """;

    /** The first message of each ordering key, unless it runs. */
    private static final String UNBLOCK = """
            update orth_message
               set blocked = false
             where blocked
               and id = any(array(
                       select first.id
                         from unnest(:keys) as w(key)
                        cross join lateral (select m.id
                                              from orth_message m
                                             where m.queue_id = :queue
                                               and m.group_key = w.key
                                             order by m.queued_at, m.id
                                             limit 1) first))
            """;

    private static final String EXPIRE = """
            delete from orth_message_key
             where ctid = any(array(select ctid from orth_message_key where until < now() limit :limit))
            """;

    /** Keys that a message holds or held. */
    record Held(long id, String groupKey, String uniqueKey, boolean blocked) {

        boolean any() {
            return groupKey != null || uniqueKey != null;
        }
    }

    private final JdbcClient jdbc;
    private final int queue;

    MessageKeys(JdbcClient jdbc, int queue) {
        this.jdbc = jdbc;
        this.queue = queue;
    }

    /** Takes unique keys for new messages. Returns the holder of each key that was already taken, by the id of the new message. */
    Map<Long, Long> take(List<NewRow> rows, Instant at) {
        Map<String, NewRow> firsts = new LinkedHashMap<>();
        Map<Long, Long> holders = new HashMap<>();
        for (NewRow row : rows) {
            if (row.spec().uniqueKey() != null) {
                NewRow first = firsts.putIfAbsent(row.spec().uniqueKey(), row);
                if (first != null) {
                    holders.put(row.id(), first.id());
                }
            }
        }
        if (firsts.isEmpty()) {
            return holders;
        }
        Map<Long, Long> taken = new HashMap<>();
        jdbc.sql(TAKE)
                .param("queue", queue)
                .param("at", SqlRows.timestamp(at))
                .param("keys", SqlArrays.texts(firsts.keySet(), key -> key))
                .param("ids", SqlArrays.bigints(firsts.values(), NewRow::id))
                .param(
                        "millis",
                        SqlArrays.bigints(
                                firsts.values(), row -> partOf(row.spec().uniqueFor(), Duration::toMillis)))
                .query(row -> {
                    long mine = firsts.get(row.getString("key")).id();
                    if (row.getLong("message_id") != mine) {
                        taken.put(mine, row.getLong("message_id"));
                    }
                });
        holders.replaceAll((id, first) -> taken.getOrDefault(first, first));
        holders.putAll(taken);
        return holders;
    }

    /** Adds new messages to their ordering keys. Messages that are not the first of their key are blocked. */
    List<NewRow> join(List<NewRow> rows) {
        Map<String, Integer> counts = counts(rows, row -> row.spec().groupKey());
        if (counts.isEmpty()) {
            return rows;
        }
        Set<String> empty = join(counts);
        List<NewRow> joined = new ArrayList<>(rows.size());
        for (NewRow row : rows) {
            String key = row.spec().groupKey();
            joined.add(new NewRow(row.id(), row.spec(), key != null && !empty.remove(key)));
        }
        return joined;
    }

    /** Returns the ordering keys that had no messages before. */
    private Set<String> join(Map<String, Integer> counts) {
        Set<String> empty = new HashSet<>();
        withCounts(JOIN, counts).query(row -> {
            if (row.getInt("open") == counts.get(row.getString("key"))) {
                empty.add(row.getString("key"));
            }
        });
        return empty;
    }

    /**
     * Gives retried dead letters their unique keys until they finish, unless other messages hold them, and adds the dead letters, blocked,
     * to their ordering keys.
     */
    void regain(Collection<Held> back, Instant at) {
        Map<String, Held> firsts = new TreeMap<>();
        back.stream()
                .filter(held -> held.uniqueKey() != null)
                .forEach(held -> firsts.putIfAbsent(held.uniqueKey(), held));
        if (!firsts.isEmpty()) {
            jdbc.sql(REGAIN)
                    .param("queue", queue)
                    .param("at", SqlRows.timestamp(at))
                    .param("keys", SqlArrays.texts(firsts.keySet(), key -> key))
                    .param("ids", SqlArrays.bigints(firsts.values(), Held::id))
                    .update();
        }
        Map<String, Integer> counts = counts(back, Held::groupKey);
        if (!counts.isEmpty()) {
            unblock(join(counts));
        }
    }

    /**
     * Releases the keys of finished messages and unblocks the next message of each ordering key. Returns the number of unblocked messages.
     */
    int free(Collection<Held> ended) {
        List<Held> unique =
                ended.stream().filter(held -> held.uniqueKey() != null).toList();
        if (!unique.isEmpty()) {
            jdbc.sql(RELEASE)
                    .param("queue", queue)
                    .param("keys", SqlArrays.texts(unique, Held::uniqueKey))
                    .param("ids", SqlArrays.bigints(unique, Held::id))
                    .update();
        }
        Map<String, Integer> counts = counts(ended, Held::groupKey);
        if (counts.isEmpty()) {
            return 0;
        }
        leave(counts);
        // One message of each ordering key is not blocked. If it has finished, all others are blocked.
        return unblock(ended.stream()
                .filter(held -> held.groupKey() != null && !held.blocked())
                .map(Held::groupKey)
                .collect(Collectors.toSet()));
    }

    private void leave(Map<String, Integer> counts) {
        withCounts(LEAVE, counts).update();
        jdbc.sql(FORGET)
                .param("queue", queue)
                .param("keys", SqlArrays.texts(counts.keySet(), key -> key))
                .update();
    }

    private int unblock(Set<String> keys) {
        return keys.isEmpty()
                ? 0
                : jdbc.sql(UNBLOCK)
                        .param("queue", queue)
                        .param("keys", SqlArrays.texts(keys, key -> key))
                        .update();
    }

    private JdbcClient.StatementSpec withCounts(String statement, Map<String, Integer> counts) {
        return jdbc.sql(statement)
                .param("queue", queue)
                .param("keys", SqlArrays.texts(counts.keySet(), key -> key))
                .param("counts", SqlArrays.integers(counts.values(), count -> count));
    }

    /** Returns the number of messages per ordering key. */
    private static <T> Map<String, Integer> counts(Collection<T> messages, Function<T, String> groupKey) {
        return messages.stream()
                .map(groupKey)
                .filter(Objects::nonNull)
                .collect(Collectors.toMap(key -> key, key -> 1, Integer::sum, TreeMap::new));
    }

    /** Deletes expired unique keys of all queues. */
    static int expire(JdbcClient jdbc, int limit) {
        return jdbc.sql(EXPIRE).param("limit", limit).update();
    }
}
