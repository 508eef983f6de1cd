package io.orth.admin.queue;

import io.orth.admin.kernel.EntityKind;
import io.orth.admin.kernel.JsonText;
import io.orth.admin.kernel.SqlRows;
import io.orth.admin.transition.WorkSource;
import io.orth.protocol.StateTransition.Work;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Read access to current and past messages. Lists contain truncated payloads, and neither stacks nor earlier failures. */
@Component
public final class Messages implements QueueReader, WorkSource {

    private static final String OPEN = """
            select id, queue_id, status, lane, blocked, attempt, max_attempts, pushed_at, due_at, status_at,
                   case when status = 'RUNNING' then status_at end as claimed_at, executor_id, log_id, unique_key, group_key, trace_id,
                   metadata, %1$s as failures, null::bigint as no, null as cause, null as error, null as stack, null as fingerprint,
                   null as result, %2$s as payload, past
              from orth_message
            """;

    private static final String ENDED = """
            select id, queue_id, status, lane, false as blocked, attempt, max_attempts, pushed_at, due_at, finished_at as status_at,
                   claimed_at, executor_id, log_id, unique_key, group_key, trace_id,
                   metadata, %1$s as failures, null::bigint as no, null as cause, null as error, null as stack, null as fingerprint,
                   result, %2$s as payload, past
              from orth_message_history
            """;

    private static final String DEAD = """
            select id, queue_id, 'DEAD' as status, lane, false as blocked, attempt, max_attempts, pushed_at, null::timestamptz as due_at,
                   status_at, past[cardinality(past)] as claimed_at, executor_id, log_id, unique_key, group_key, trace_id,
                   metadata, %1$s as failures, no, cause, error, %3$s as stack, fingerprint, null as result, %2$s as payload, past
              from orth_dead_letter
            """;

    private static final String DEPTH = """
            select coalesce(sum(open - running), 0) as waiting, coalesce(sum(running), 0) as running, coalesce(sum(dead), 0) as dead
              from (select open, running, dead from orth_queue_total where queue_id = :queue
                    union all
                    select pushed + revived - done - dead - discarded, claimed - put_back - done - dead, dead - revived - dropped
                      from orth_queue_tally
                     where queue_id = :queue) noted
            """;

    /** Skips few rows: running messages are no more than the slots of all executors. */
    private static final String WAITING_OF_QUEUE = brief(OPEN) + """
             where queue_id = :queue
               and size >= 0
               and status = 'WAITING'
               and id > :after
             order by id
             limit :limit
            """;

    /**
     * There is no index on {@code status}, because every claim would have to maintain it. Running messages are mostly the first of their
     * priorities, and the counters show whether these are all. If not, the query reads all messages.
     */
    private static final String RUNNING_OF_QUEUE = """
            with first as materialized (
                select m.id
                  from (values (0), (1), (2), (3)) as n(lane)
                 cross join lateral (select id, status
                                       from orth_message
                                      where queue_id = :queue
                                        and lane = n.lane
                                        and not blocked
                                      order by due_at, id
                                      limit :look) m
                 where m.status = 'RUNNING'
            )
            %s
             where id = any(case when (select count(*) from first) >= (select running from (%s) noted)
                                 then array(select id from first where id > :after order by id limit :limit)
                                 else array(select id
                                              from orth_message
                                             where queue_id = :queue
                                               and size >= 0
                                               and status = 'RUNNING'
                                               and id > :after
                                             order by id
                                             limit :limit)
                            end)
             order by id
            """.formatted(brief(OPEN), DEPTH);

    private static final int LOOK = 10_000;

    /** The status is a literal, not a parameter: the few discarded messages have their own index. */
    private static final String ENDED_OF_QUEUE = brief(ENDED) + """
             where queue_id = :queue
               and id < :before
               and status = '%s'
             order by id desc
             limit :limit
            """;

    /** Sorted so that one index provides the order. */
    private static final String DEAD_OF_QUEUE = brief(DEAD) + """
             where (queue_id, no) > (:queue, 0)
               and (queue_id, no) < (:queue, :before)
             order by queue_id desc, no desc
             limit :limit
            """;

    /** Selects truncated contents, so that a page fits into one response. */
    private static String brief(String select) {
        return select.formatted("null::jsonb", "left(payload, 500)", "null");
    }

    private static String whole(String select) {
        return select.formatted("failures", "payload", "stack");
    }

    private final JdbcClient jdbc;

    Messages(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    @Override
    public Optional<Message> find(Queue queue, long id) {
        return Stream.of(
                        whole(OPEN) + " where id = :id",
                        whole(DEAD) + " where id = :id",
                        whole(ENDED) + " where id = :id and queue_id = :queue")
                .flatMap(
                        statement -> jdbc
                                .sql(statement)
                                .param("id", id)
                                .param("queue", queue.id())
                                .query((row, n) -> read(row))
                                .list()
                                .stream())
                .filter(message -> message.queueId() == queue.id())
                .findFirst();
    }

    @Override
    public List<Message> open(Queue queue, MessageStatus status, long after, int limit) {
        JdbcClient.StatementSpec statement = status == MessageStatus.RUNNING
                ? jdbc.sql(RUNNING_OF_QUEUE).param("look", LOOK)
                : jdbc.sql(WAITING_OF_QUEUE);
        return list(statement.param("after", after), queue, limit);
    }

    @Override
    public List<Message> ended(Queue queue, MessageStatus status, long before, int limit) {
        return list(jdbc.sql(ENDED_OF_QUEUE.formatted(status.name())).param("before", before), queue, limit);
    }

    @Override
    public List<Message> dead(Queue queue, long before, int limit) {
        return list(jdbc.sql(DEAD_OF_QUEUE).param("before", before), queue, limit);
    }

    private static List<Message> list(JdbcClient.StatementSpec statement, Queue queue, int limit) {
        return statement
                .param("queue", queue.id())
                .param("limit", limit)
                .query((row, n) -> read(row))
                .list();
    }

    @Override
    public Depth depth(Queue queue) {
        return jdbc.sql(DEPTH)
                .param("queue", queue.id())
                .query((row, n) ->
                        new Depth(Math.max(0, row.getLong("waiting")), row.getLong("running"), row.getLong("dead")))
                .single();
    }

    @Override
    public EntityKind kind() {
        return EntityKind.MESSAGE;
    }

    /** Returns nothing: the work of a message is part of its state transitions. */
    @Override
    public Map<Long, Work> find(Collection<Long> ids) {
        return Map.of();
    }

    /** Combines {@code past} with the moments in other columns. */
    @Override
    public Set<Instant> momentsOf(long id) {
        Set<Instant> moments = new HashSet<>();
        for (String statement : List.of(
                "select past, array[pushed_at, status_at] as others from orth_message where id = :id",
                "select past, array[pushed_at, status_at] as others from orth_dead_letter where id = :id",
                """
                select past, array_remove(array[pushed_at, claimed_at, finished_at], null) as others
                  from orth_message_history
                 where id = :id
                   and queue_id = any(array(select q.id from orth_queue q))
                """)) {
            jdbc.sql(statement).param("id", id).query(row -> {
                moments.addAll(SqlRows.instants(row, "past"));
                moments.addAll(SqlRows.instants(row, "others"));
            });
        }
        return moments;
    }

    private static Message read(ResultSet row) throws SQLException {
        Long no = SqlRows.longOrNull(row, "no");
        return new Message(
                row.getLong("id"),
                row.getInt("queue_id"),
                MessageStatus.valueOf(row.getString("status")),
                Lane.of(row.getInt("lane")),
                row.getBoolean("blocked"),
                row.getInt("attempt"),
                row.getInt("max_attempts"),
                new Message.Times(
                        SqlRows.instant(row, "pushed_at"),
                        SqlRows.instant(row, "due_at"),
                        SqlRows.instant(row, "status_at"),
                        SqlRows.instant(row, "claimed_at")),
                SqlRows.longOrNull(row, "executor_id"),
                SqlRows.longOrNull(row, "log_id"),
                row.getString("unique_key"),
                row.getString("group_key"),
                row.getString("trace_id"),
                JsonText.texts(row.getString("metadata")),
                row.getString("failures"),
                no == null
                        ? null
                        : new Message.Death(
                                no,
                                row.getString("cause"),
                                row.getString("error"),
                                row.getString("stack"),
                                row.getString("fingerprint")),
                row.getString("result"),
                row.getString("payload"));
    }
}
