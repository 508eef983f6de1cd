package io.orth.admin.queue;

import io.orth.admin.kernel.LastWrites;
import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.queue.QueueDriver.Claim;
import io.orth.admin.queue.QueueRepository.Entered;
import java.sql.Array;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/** SQL of the executors that work on queues, and of the messages delivered to them last. Callers own the transaction. */
final class WorkerRepository {

    private static final String IS_THERE = """
             where e.id = :executor
               and not orth_is_gone(e.status)
               and not e.draining
            """;

    /** Locks the queue in the same statement. */
    private static final String AT_QUEUE = """
            with q as (
                %s
            ), w as (
                %%s
                returning w.message_ids, w.given_turn
            )
            select q.*, w.message_ids, w.given_turn from q left join w on true
            """.formatted(QueueRepository.ENTER);

    /**
     * Locks the worker row. Keeps the messages delivered under the same claim and those that the executor did not receive. Matches no row
     * for an offline or draining executor, and for a claim older than the executor's latest one.
     */
    private static final String ENTER = AT_QUEUE.formatted("""
            insert into orth_queue_worker as w (queue_id, executor_id, strand, claim, turn, message_ids, slots, held, seen_at)
            select q.id, e.id, :strand, :claim, :turn, '{}', :slots, :held, q.at
              from q
             cross join orth_executor e
            """ + IS_THERE + """
            on conflict (queue_id, executor_id, strand) do update
               set slots = excluded.slots, held = excluded.held, seen_at = excluded.seen_at, claim = excluded.claim,
                   turn = excluded.turn,
                   message_ids = case when w.claim = excluded.claim or w.given_turn > :received then w.message_ids else '{}' end
             where excluded.turn >= w.turn
            """);

    /** A claim may wait twice if it is repeated. Matches no row if the executor has made another claim since. */
    private static final String ENTER_AGAIN = AT_QUEUE.formatted("""
            update orth_queue_worker w
               set seen_at = q.at
              from q
             cross join orth_executor e
            """ + IS_THERE + """
               and w.queue_id = q.id
               and w.executor_id = e.id
               and w.strand = :strand
               and w.claim = :claim
            """);

    private static final String GIVEN = """
            select message_ids
              from orth_queue_worker
             where queue_id = :queue
               and executor_id = :executor
               and strand = :strand
               and (claim = :claim or (turn <= :turn and given_turn > :received))
            """;

    private static final String GIVE = """
            update orth_queue_worker
               set message_ids = :ids, given_turn = :turn
             where queue_id = :queue
               and executor_id = :executor
               and strand = :strand
            """;

    private static final String GONE = """
              from orth_queue_worker w
              left join orth_executor e on e.id = w.executor_id
             where orth_work_is_lost(e.status, e.status_at, :grace)
            """;

    private static final String LIST_GONE =
            "select distinct w.queue_id, (select q.name from orth_queue q where q.id = w.queue_id) as queue, w.executor_id, e.instance_id"
                    + GONE + " order by w.queue_id, w.executor_id";

    private static final String OF_ONE = " and w.queue_id = :queue and w.executor_id = :executor order by w.strand";

    /** Waits for a claim in progress, which holds the worker row. Afterwards its messages are visible. */
    private static final String LOCK_GONE = "select w.strand" + GONE + OF_ONE + " for update of w";

    /** The executor cannot come back until the transaction ends, because its heartbeat writes this row. */
    private static final String IS_GONE =
            "select orth_work_is_lost(e.status, e.status_at, :grace) from orth_executor e where e.id = :executor for share";

    private static final String REMOVE = """
            delete from orth_queue_worker w
             where w.queue_id = :queue
               and w.executor_id = :executor
               and not exists (select
                                 from orth_executor e
                                where e.id = w.executor_id
                                  and not orth_work_is_lost(e.status, e.status_at, :grace))
            """;

    /** @param given messages delivered before; empty if nothing may be delivered under the claim */
    record AtWork(Entered entered, Optional<Given> given) {}

    /** Messages delivered under the claim of that turn, which may be an earlier claim without a response. */
    record Given(long turn, List<Long> messages) {

        Given {
            messages = List.copyOf(messages);
        }

        boolean isUnder(Claim claim) {
            return !messages.isEmpty() && turn == claim.turn();
        }
    }

    /** A dead or offline executor, and a queue that it worked on. */
    record Gone(int queueId, String queue, long executor, String instanceId, Duration grace) {}

    private final JdbcClient jdbc;

    WorkerRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Registers a claim; empty if the queue does not exist. {@link AtWork#given} is empty if the executor is not online, is draining or has
     * made a later claim.
     */
    Optional<AtWork> enter(String queue, Claim claim) {
        return atWork(about(ENTER, claim)
                .param("name", queue)
                .param("claim", claim.id())
                .param("turn", claim.turn())
                .param("received", claim.received())
                .param("slots", claim.slots())
                .param("held", claim.held()));
    }

    /** Registers a claim again that was entered before. {@link AtWork#given} is empty if it is not the worker's latest claim. */
    Optional<AtWork> enterAgain(String queue, Claim claim) {
        return atWork(about(ENTER_AGAIN, claim).param("name", queue).param("claim", claim.id()));
    }

    private static Optional<AtWork> atWork(JdbcClient.StatementSpec statement) {
        return statement
                .query((row, n) -> {
                    Array given = row.getArray("message_ids");
                    return new AtWork(
                            QueueRepository.entered(row),
                            given == null
                                    ? Optional.empty()
                                    : Optional.of(new Given(row.getLong("given_turn"), read(given))));
                })
                .optional();
    }

    /** Returns the messages delivered to this claim or lost in transit before it; empty if it is not the worker's latest claim. */
    Optional<List<Long>> given(int queue, Claim claim) {
        return about(GIVEN, claim)
                .param("queue", queue)
                .param("claim", claim.id())
                .param("turn", claim.turn())
                .param("received", claim.received())
                .query((row, n) -> read(row.getArray("message_ids")))
                .optional();
    }

    /** Stores the messages delivered under the latest claim. */
    void give(LastWrites writes, int queue, Claim claim, Collection<Long> messages) {
        writes.add(
                GIVE,
                new MapSqlParameterSource()
                        .addValue("queue", queue)
                        .addValue("executor", claim.executorId())
                        .addValue("strand", claim.strand())
                        .addValue("turn", claim.turn())
                        .addValue("ids", SqlArrays.bigints(messages, id -> id)));
    }

    private JdbcClient.StatementSpec about(String statement, Claim claim) {
        return jdbc.sql(statement).param("executor", claim.executorId()).param("strand", claim.strand());
    }

    private static List<Long> read(Array messages) throws SQLException {
        return Arrays.asList((Long[]) messages.getArray());
    }

    /** Returns dead and offline executors, with each queue that they worked on. */
    List<Gone> gone(Duration grace) {
        return jdbc.sql(LIST_GONE)
                .param("grace", seconds(grace))
                .query((row, n) -> new Gone(
                        row.getInt("queue_id"),
                        row.getString("queue"),
                        row.getLong("executor_id"),
                        row.getString("instance_id"),
                        grace))
                .list();
    }

    /** Locks the worker's rows, and so waits for its claims in progress. */
    void lock(Gone gone) {
        about(LOCK_GONE, gone).query(Integer.class).list();
    }

    /** Returns whether the executor is still dead or offline. It stays so until the transaction ends. */
    boolean isGone(Gone gone) {
        return jdbc.sql(IS_GONE)
                .param("executor", gone.executor())
                .param("grace", seconds(gone.grace()))
                .query(Boolean.class)
                .optional()
                .orElse(true);
    }

    /** Deletes the worker's rows once it has no messages. */
    void remove(Gone gone) {
        about(REMOVE, gone).update();
    }

    private JdbcClient.StatementSpec about(String statement, Gone gone) {
        return jdbc.sql(statement)
                .param("queue", gone.queueId())
                .param("executor", gone.executor())
                .param("grace", seconds(gone.grace()));
    }

    private static double seconds(Duration time) {
        return time.toMillis() / 1000.0;
    }
}
