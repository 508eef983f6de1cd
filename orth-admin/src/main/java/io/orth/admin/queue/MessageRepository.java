package io.orth.admin.queue;

import io.orth.admin.kernel.Backoff;
import io.orth.admin.kernel.JsonText;
import io.orth.admin.kernel.MovedRow;
import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.SqlRows;
import io.orth.admin.queue.Frontiers.Frontier;
import io.orth.protocol.ClaimedMessage;
import io.orth.protocol.ClaimedTask;
import io.orth.protocol.StateTransition.Work;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.springframework.jdbc.core.simple.JdbcClient;

/** SQL of unfinished messages, except for their status transitions. Callers own the transaction. */
final class MessageRepository {

    private static final String INSERT = """
            insert into orth_message (id, queue_id, lane, due_at, queued_at, blocked, status, seq, status_at, attempt, max_attempts,
                                      pushed_at, backoff_initial_ms, backoff_multiplier, backoff_max_ms, backoff_jitter,
                                      unique_key, group_key, trace_id, size, metadata, payload, entity_id)
            select m.id, :queue, m.lane, coalesce(m.due_at, :at + coalesce(m.delay, 0) * interval '1 millisecond'), :at, m.blocked,
                   'WAITING', 1, :at, 0, coalesce(m.max_attempts, :maxAttempts), :at, m.initial_ms, m.multiplier, m.max_ms, m.jitter,
                   m.unique_key, m.group_key, m.trace_id, octet_length(m.payload) + coalesce(octet_length(m.metadata), 0),
                   m.metadata, m.payload, m.entity
              from unnest(:ids, :lanes, :dueAts, :delays, :blocked, :attempts, :initials, :multipliers, :maxima, :jitters,
                          :uniques, :groups, :traces, :metadata, :payloads, :entities)
                as m(id, lane, due_at, delay, blocked, max_attempts, initial_ms, multiplier, max_ms, jitter, unique_key,
                     group_key, trace_id, metadata, payload, entity)
            """;

    /**
     * Selects and locks due messages by priority and age, starting behind a position for one priority. A priority is read only if the
     * previous ones have not filled the limit. Contents are included if they are small enough for all of them to fit into one response.
     */
    private static final String DUE = """
            select m.id, m.lane, m.seq, m.status_at, m.attempt, m.max_attempts, m.due_at, m.pushed_at, m.trace_id, m.size,
                   m.metadata, m.payload, m.entity_id
              from (select lane, case when lane = :fromLane then :fromDue else '-infinity' end as due_at,
                           case when lane = :fromLane then :fromId else 0 end as id
                      from (values (0), (1), (2), (3)) as every(lane)) as l
             cross join lateral (select id, lane, seq, status_at, attempt, max_attempts, due_at, pushed_at, trace_id, size,
                                        case when size <= :small then metadata end as metadata,
                                        case when size <= :small then payload end as payload, entity_id
                                   from orth_message
                                  where queue_id = :queue
                                    and lane = l.lane
                                    and not blocked
                                    and due_at <= :at
                                    and (due_at, id) > (l.due_at, l.id)
                                    and status = 'WAITING'
                                  order by due_at, id
                                  limit :limit
                                    for update skip locked) m
             limit :limit
            """;

    private static final String CONTENTS = "select id, metadata, payload from orth_message where id = any(:ids)";

    /** If a rate limit delays the next message, {@code due_at} is when enough tokens have accrued. */
    private static final String NEXT_DUE = """
            select q.name,
                   greatest(next.due_at,
                            case when q.rate_limit is not null and l.tokens < 1
                                 then l.tokens_at + (1 - l.tokens) / q.rate_limit * interval '1 second' end) as due_at
              from orth_queue q
              left join orth_queue_limit l on l.queue_id = q.id
             cross join lateral (select min(first.due_at) as due_at
                                   from (values (0), (1), (2), (3)) as n(lane)
                                  cross join lateral (select m.due_at
                                                        from orth_message m
                                                       where m.queue_id = q.id
                                                         and m.lane = n.lane
                                                         and not m.blocked
                                                         and m.status = 'WAITING'
                                                       order by m.due_at, m.id
                                                       limit 1) first) next
             where q.name = any(:names)
               and not q.paused
               and (q.concurrency_limit is null or coalesce(l.running, 0) < q.concurrency_limit)
               and next.due_at is not null
            """;

    private static final String GIVEN = """
            select id, attempt, max_attempts, status_at, log_id, pushed_at, trace_id, metadata, payload, entity_id
              from orth_message
             where id = any(:ids)
               and executor_id = :executor
            """;

    /** Skips messages that the executor has under another claim, and messages whose completion the application has committed. */
    private static final String HELD_OF = """
            select id, attempt, max_attempts, executor_id, log_id, backoff_initial_ms, backoff_multiplier, backoff_max_ms,
                   backoff_jitter, entity_id
              from orth_message
             where id = any(:ids)
               and queue_id = :queue
               and executor_id = :executor
               and log_id = (:logs)[width_bucket(id, :ids)]
               and completed is null
             order by id
               for update
            """;

    /**
     * There is no index on {@code executor_id}, because every claim would have to maintain it. So one query reads all messages of the
     * queue.
     */
    private static final String HELD_BY = """
            select id, log_id
              from orth_message
             where queue_id = :queue
               and size >= 0
               and status = 'RUNNING'
               and executor_id = :executor
             order by id
            """;

    private static final String WAITING = """
            select id
              from orth_message
             where queue_id = :queue
               and size >= 0
               and id > :after
               and id < :below
               and status = 'WAITING'
               and pushed_at < :before
             order by id
             limit :limit
            """;

    private static final String READY = """
            select q.name,
                   (select count(*)
                      from (select
                              from (values (0), (1), (2), (3)) as n(lane)
                             cross join lateral (select
                                                   from orth_message m
                                                  where m.queue_id = q.id
                                                    and m.lane = n.lane
                                                    and not m.blocked
                                                    and m.due_at <= now()
                                                    and m.status = 'WAITING'
                                                  order by m.due_at, m.id
                                                  limit :most) due
                             limit :most) counted) as ready
              from orth_queue q
             where q.name = any(:names)
            """;

    /**
     * A locked message that may start.
     *
     * @param since when it started to wait
     * @param size size of its contents in bytes
     * @param contents null if they are large; {@link #largeContents} reads them
     */
    record Due(
            long id,
            int lane,
            int sequence,
            Instant since,
            int attempt,
            int maxAttempts,
            Instant dueAt,
            Instant pushedAt,
            String traceId,
            int size,
            Contents contents,
            Long entityId) {

        /** Returns whether the message was claimed before. A first attempt logs under the message id; each later one has its own log id. */
        boolean hadItsChance() {
            return sequence > 1;
        }

        MovedRow claimed(long executor, Instant at, Work work) {
            return new MovedRow(
                    id, sequence + 1, MessageMoves.since(since, at), at, null, executor, traceId, work, attempt + 1);
        }
    }

    record Contents(Map<String, String> metadata, String payload) {

        /** Returns null if the payload was not selected. */
        private static Contents read(ResultSet row) throws SQLException {
            String payload = row.getString("payload");
            return payload == null ? null : new Contents(JsonText.texts(row.getString("metadata")), payload);
        }
    }

    /** @param backoff its own backoff; null for the queue's */
    record HeldMessage(
            long id, long logId, int attempt, int maxAttempts, long executorId, Backoff backoff, Long entityId) {}

    /** A message as delivered to an executor. */
    record GivenMessage(ClaimedMessage message, Long entityId) {

        static List<CarriedWork.Carried> carrying(List<GivenMessage> all) {
            return all.stream()
                    .filter(each -> each.entityId() != null)
                    .map(each -> new CarriedWork.Carried(each.entityId(), each.message()))
                    .toList();
        }

        /** @param tasks tasks that messages carry, by message id */
        ClaimedMessage with(Map<Long, ClaimedTask> tasks) {
            return tasks.containsKey(message.id()) ? message.with(tasks.get(message.id())) : message;
        }
    }

    /** A message and the claim under which an executor holds it. */
    record ClaimKey(long id, long logId) {}

    private final JdbcClient jdbc;

    MessageRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    void insert(Queue queue, List<NewRow> rows, Instant at) {
        List<MessageSpec> specs = rows.stream().map(NewRow::spec).toList();
        jdbc.sql(INSERT)
                .param("queue", queue.id())
                .param("at", SqlRows.timestamp(at))
                .param("maxAttempts", queue.maxAttempts())
                .param("ids", SqlArrays.bigints(rows, NewRow::id))
                .param("lanes", SqlArrays.integers(specs, spec -> spec.lane().number()))
                .param("dueAts", SqlArrays.instants(specs, MessageSpec::dueAt))
                .param("delays", SqlArrays.bigints(specs, spec -> partOf(spec.delay(), Duration::toMillis)))
                .param("blocked", SqlArrays.booleans(rows, NewRow::blocked))
                .param("attempts", SqlArrays.integers(specs, MessageSpec::maxAttempts))
                .param(
                        "initials",
                        SqlArrays.bigints(
                                specs,
                                spec -> partOf(
                                        spec.backoff(), b -> b.initialDelay().toMillis())))
                .param("multipliers", SqlArrays.doubles(specs, spec -> partOf(spec.backoff(), Backoff::multiplier)))
                .param(
                        "maxima",
                        SqlArrays.bigints(
                                specs,
                                spec -> partOf(spec.backoff(), b -> b.maxDelay().toMillis())))
                .param("jitters", SqlArrays.doubles(specs, spec -> partOf(spec.backoff(), Backoff::jitter)))
                .param("uniques", SqlArrays.texts(specs, MessageSpec::uniqueKey))
                .param("groups", SqlArrays.texts(specs, MessageSpec::groupKey))
                .param("traces", SqlArrays.texts(specs, MessageSpec::traceId))
                .param(
                        "metadata",
                        SqlArrays.texts(specs, spec -> spec.metadata().isEmpty() ? null : JsonText.of(spec.metadata())))
                .param("payloads", SqlArrays.texts(specs, MessageSpec::payload))
                .param("entities", SqlArrays.bigints(specs, MessageSpec::entityId))
                .update();
    }

    /** Returns null if {@code value} is null. */
    static <F, T> T partOf(F value, Function<F, T> part) {
        return value == null ? null : part.apply(value);
    }

    /** @param bytes maximum size of the contents in total; the last message may exceed it */
    List<Due> due(int queue, Frontier from, int limit, long bytes, Instant at) {
        List<Due> found = jdbc.sql(DUE)
                .param("queue", queue)
                .param("fromLane", from.lane())
                .param("fromDue", SqlRows.timestamp(from.dueAt()))
                .param("fromId", from.id())
                .param("limit", limit)
                .param("small", bytes / limit)
                .param("at", SqlRows.timestamp(at))
                .query((row, n) -> new Due(
                        row.getLong("id"),
                        row.getInt("lane"),
                        row.getInt("seq"),
                        SqlRows.instant(row, "status_at"),
                        row.getInt("attempt"),
                        row.getInt("max_attempts"),
                        SqlRows.instant(row, "due_at"),
                        SqlRows.instant(row, "pushed_at"),
                        row.getString("trace_id"),
                        row.getInt("size"),
                        Contents.read(row),
                        SqlRows.longOrNull(row, "entity_id")))
                .list();
        long left = bytes;
        int count = 0;
        while (count < found.size() && left > 0) {
            left -= found.get(count).size();
            count++;
        }
        return found.subList(0, count);
    }

    /** Returns the contents of messages that were read without them, by id. */
    Map<Long, Contents> largeContents(List<Due> due) {
        List<Due> large =
                due.stream().filter(message -> message.contents() == null).toList();
        return large.isEmpty()
                ? Map.of()
                : SqlRows.byId(
                        jdbc.sql(CONTENTS).param("ids", SqlArrays.bigints(large, Due::id)),
                        Long.class,
                        (row, n) -> Contents.read(row));
    }

    /** Returns waiting messages with ids between {@code after} and {@code below} that were pushed before {@code before}. */
    List<Long> waiting(int queue, long after, Instant before, long below, int limit) {
        return jdbc.sql(WAITING)
                .param("queue", queue)
                .param("after", after)
                .param("below", below)
                .param("before", SqlRows.timestamp(before))
                .param("limit", limit)
                .query(Long.class)
                .list();
    }

    /** Returns the number of ready messages by queue, counted up to {@code most}. */
    Map<String, Integer> ready(Collection<String> queues, int most) {
        Map<String, Integer> ready = new HashMap<>();
        jdbc.sql(READY)
                .param("names", SqlArrays.texts(queues, name -> name))
                .param("most", most)
                .query(row -> {
                    ready.put(row.getString("name"), row.getInt("ready"));
                });
        return ready;
    }

    /** Returns when the next message of each queue may start. Omits queues in which none may start without another event. */
    Map<String, Instant> nextDue(Collection<String> queues) {
        Map<String, Instant> next = new HashMap<>();
        jdbc.sql(NEXT_DUE).param("names", SqlArrays.texts(queues, name -> name)).query(row -> {
            next.put(row.getString("name"), SqlRows.instant(row, "due_at"));
        });
        return next;
    }

    /** Returns those of these messages that the executor still has, as they were delivered. */
    List<GivenMessage> given(long executor, Collection<Long> ids) {
        return jdbc.sql(GIVEN)
                .param("ids", SqlArrays.bigints(ids, id -> id))
                .param("executor", executor)
                .query((row, n) -> new GivenMessage(
                        new ClaimedMessage(
                                row.getLong("id"),
                                row.getInt("attempt"),
                                row.getInt("max_attempts"),
                                row.getLong("log_id"),
                                SqlRows.instant(row, "status_at").toEpochMilli(),
                                row.getString("payload"),
                                SqlRows.instant(row, "pushed_at").toEpochMilli(),
                                JsonText.texts(row.getString("metadata")),
                                row.getString("trace_id")),
                        SqlRows.longOrNull(row, "entity_id")))
                .list();
    }

    /** Locks the messages that the executor has under these claims, and returns them in the order of their ids. */
    List<HeldMessage> lockHeld(int queue, long executor, Collection<ClaimKey> claims) {
        return jdbc.sql(HELD_OF)
                .param("queue", queue)
                .param("executor", executor)
                .param("ids", SqlArrays.bigints(claims, ClaimKey::id))
                .param("logs", SqlArrays.bigints(claims, ClaimKey::logId))
                .query((row, n) -> new HeldMessage(
                        row.getLong("id"),
                        row.getLong("log_id"),
                        row.getInt("attempt"),
                        row.getInt("max_attempts"),
                        row.getLong("executor_id"),
                        SqlRows.backoff(row),
                        SqlRows.longOrNull(row, "entity_id")))
                .list();
    }

    /** Returns all messages of the queue that the executor has, in the order of their ids. */
    List<ClaimKey> heldBy(int queue, long executor) {
        return jdbc.sql(HELD_BY)
                .param("queue", queue)
                .param("executor", executor)
                .query((row, n) -> new ClaimKey(row.getLong("id"), row.getLong("log_id")))
                .list();
    }
}
