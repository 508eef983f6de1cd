package io.orth.admin.queue;

import static io.orth.admin.queue.MessageRepository.partOf;
import static java.util.Comparator.comparing;

import io.orth.admin.deadletter.DeadKind;
import io.orth.admin.deadletter.DeadLetterGroups;
import io.orth.admin.kernel.LastWrites;
import io.orth.admin.kernel.MovedRow;
import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.SqlRows;
import io.orth.admin.queue.MessageRepository.Due;
import io.orth.admin.queue.MessageRepository.GivenMessage;
import io.orth.protocol.ClaimedMessage;
import io.orth.protocol.StateTransition.Work;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * SQL of the status transitions of messages. Each statement moves and returns the messages that are still in the expected state, in the
 * order of their ids.
 */
final class MessageMoves {

    /** Maximum number of moments in {@code past} of a message that is requeued again and again. */
    private static final int REMEMBERED = 200;

    /**
     * The query that selected the rows has locked them. {@code past} omits {@code pushed_at}. {@code :ids} and {@code :logs} list only
     * later attempts; a first attempt logs under the message id.
     */
    private static final String CLAIM = """
            update orth_message m
               set status = 'RUNNING', seq = m.seq + 1, past = case when m.seq > 1 then m.past || m.status_at end, status_at = :at,
                   attempt = m.attempt + 1, executor_id = :executor,
                   log_id = case when m.id = (:ids)[width_bucket(m.id, :ids)] then (:logs)[width_bucket(m.id, :ids)] else m.id end
             where m.id = any(:claimed)
               and m.status = 'WAITING'
            """;

    /**
     * Returns the part of a query that locks the wanted rows still in the expected state, in the order of their ids, and returns their
     * ctids. A lateral lookup by id: the plan of a join, made when the queue had a handful of messages, could read the whole queue.
     */
    private static String locked(String table, String expected) {
        return """
                 cross join lateral (select found.ctid as place, found.*
                                       from %s found
                                      where found.id = w.id
                                      limit 1
                                        for update) m
                 where m.queue_id = :queue
                """.formatted(table) + expected;
    }

    /** A completion that the application has committed takes precedence over a failure, a release or a loss. */
    private static final String RUNNING = locked("orth_message", """
                   and m.status = 'RUNNING'
                   and m.executor_id = w.executor_id
                   and m.log_id = w.log_id
                   and m.completed is null
                """);

    private static final String WAITING = locked("orth_message", "   and m.status = 'WAITING'\n");

    private static final String DEAD = locked("orth_dead_letter", "");

    private static final String WANTED = """
            with w as (
                select w.*, m.place
                  from unnest(:ids, :logs, :executors, :codes, :errors, :stacks, :prints, :millis, :delays, :uncounts, :causes)
                           as w(id, log_id, executor_id, code, error, stack, fingerprint, run_millis, delay, uncounted, cause)
            """ + RUNNING + ")\n";

    /**
     * Keeps the latest 100 failures, the maximum number of attempts. A dead letter that is retried repeatedly would otherwise collect more.
     */
    private static final String FAILURES = """
            jsonb_path_query_array(coalesce(m.failures, '[]'), '$[last - 98 to last]') || jsonb_build_object(
                'attempt', m.attempt, 'logId', m.log_id::text, 'executorId', m.executor_id::text, 'startedAt', m.status_at, 'endedAt', :at,
                'code', w.code, 'error', w.error)
            """;

    /**
     * The delete locks the rows, in the order of their ids. Parameters are indexed by position, because a join would cost more than the
     * delete.
     */
    private static final String COMPLETE = """
            with ended as (
                delete from orth_message m
                 where m.id = any(:ids)
                   and m.queue_id = :queue
                   and m.status = 'RUNNING'
                   and m.executor_id = :executor
                   and m.log_id = (:logs)[width_bucket(m.id, :ids)]
                returning m.id, m.queue_id, m.lane, m.seq, m.past, m.attempt, m.max_attempts, m.due_at, m.pushed_at, m.status_at,
                          m.executor_id, m.log_id, m.unique_key, m.group_key, m.trace_id, m.metadata, m.failures, m.payload,
                          m.entity_id, width_bucket(m.id, :ids) as place
            )
            insert into orth_message_history (id, queue_id, lane, status, seq, past, attempt, max_attempts, due_at, pushed_at,
                                              claimed_at, finished_at, executor_id, log_id, run_millis, unique_key, group_key,
                                              trace_id, metadata, failures, result, payload, entity_id)
            select id, queue_id, lane, 'DONE', seq + 1, past, attempt, max_attempts, due_at, pushed_at,
                   status_at, :at, executor_id, log_id, (:millis)[place], unique_key, group_key,
                   trace_id, metadata, failures, (:results::text[])[place], payload, entity_id
              from ended
            returning id, seq, claimed_at as since, attempt, executor_id, trace_id, group_key, unique_key, false as blocked, entity_id
            """;

    private static final String PUT_BACK = WANTED + """
            update orth_message m
               set status = 'WAITING', seq = m.seq + 1, status_at = :at, attempt = m.attempt - w.uncounted,
                   past = (m.past || m.status_at)[greatest(cardinality(m.past) - %d, 1):],
                   due_at = case when w.delay is null then m.due_at else :at + w.delay * interval '1 millisecond' end,
                   failures = case when w.code is null then m.failures else %s end,
                   executor_id = null, log_id = null
              from w
             where m.ctid = w.place
            returning m.id, m.seq, m.past[cardinality(m.past)] as since, m.attempt + w.uncounted as attempt, w.executor_id, m.trace_id, null as group_key,
                      null as unique_key, m.blocked, m.entity_id
            """.formatted(REMEMBERED, FAILURES);

    private static final String BURY =
            WANTED + """
            , ended as (
                delete from orth_message m
                 using w
                 where m.ctid = w.place
                returning m.*, w.cause, w.error, w.stack, w.fingerprint,
            """ + FAILURES + """
                          as all_failures
            ), kept as (
                insert into orth_dead_letter (id, queue_id, lane, seq, status_at, past, attempt, max_attempts, pushed_at, executor_id,
                                              log_id, backoff_initial_ms, backoff_multiplier, backoff_max_ms, backoff_jitter, unique_key, group_key,
                                              trace_id, size, metadata, failures, cause, error, stack, fingerprint, payload)
                select id, queue_id, lane, seq + 1, :at, past || status_at, attempt, max_attempts, pushed_at, executor_id,
                       log_id, backoff_initial_ms, backoff_multiplier, backoff_max_ms, backoff_jitter, unique_key, group_key,
                       trace_id, size, metadata, all_failures, cause, error, stack, fingerprint, payload
                  from ended
                 order by id
                returning queue_id, fingerprint, status_at
            ), %s
            select id, seq + 1 as seq, status_at as since, attempt, executor_id, trace_id, group_key, unique_key, blocked, null::bigint as entity_id
              from ended
            """.formatted(DeadLetterGroups.noted(DeadKind.MESSAGE, true, "kept"));

    /** Requeues dead letters behind waiting messages, with all attempts. Messages with an ordering key are blocked at first. */
    private static final String REVIVE =
            """
            with w as (
                select w.payload, m.place
                  from unnest(:ids, :texts) as w(id, payload)
            """ + DEAD + """
            ), risen as (
                delete from orth_dead_letter d
                 using w
                 where d.ctid = w.place
                returning d.*, w.payload as new_payload
            ), kept as (
                insert into orth_message (id, queue_id, lane, due_at, queued_at, blocked, status, seq, status_at, past, attempt,
                                          max_attempts, pushed_at, backoff_initial_ms, backoff_multiplier, backoff_max_ms,
                                          backoff_jitter, unique_key, group_key, trace_id, size, metadata, failures, payload)
                select id, queue_id, lane, :at, :at, group_key is not null, 'WAITING', seq + 1, :at, past || status_at, 0,
                       max_attempts, pushed_at, backoff_initial_ms, backoff_multiplier, backoff_max_ms, backoff_jitter,
                       unique_key, group_key, trace_id, octet_length(coalesce(new_payload, payload)) + coalesce(octet_length(metadata), 0),
                       metadata, failures, coalesce(new_payload, payload)
                  from risen
            ), %s
            select id, seq + 1 as seq, status_at as since, attempt, null::bigint as executor_id, trace_id, group_key, unique_key,
                   true as blocked, null::bigint as entity_id
              from risen
            """.formatted(DeadLetterGroups.noted(DeadKind.MESSAGE, false, "risen"));

    private static final String DROP =
            """
            with w as (
                select m.place
                  from unnest(:ids) as w(id)
            """ + DEAD + """
            ), gone as (
                delete from orth_dead_letter d using w where d.ctid = w.place returning d.*
            ), kept as (
                insert into orth_message_history (id, queue_id, lane, status, seq, past, attempt, max_attempts, due_at, pushed_at,
                                                  claimed_at, finished_at, executor_id, log_id, unique_key, group_key, trace_id,
                                                  metadata, failures, result, payload)
                select id, queue_id, lane, 'DISCARDED', seq + 1, past || status_at, attempt, max_attempts, status_at, pushed_at,
                       past[cardinality(past)], :at, executor_id, log_id, unique_key, group_key, trace_id, metadata, failures, error,
                       payload
                  from gone
            ), %s
            select id, seq + 1 as seq, status_at as since, attempt, null::bigint as executor_id, trace_id, null as group_key,
                   null as unique_key, false as blocked, null::bigint as entity_id
              from gone
            """.formatted(DeadLetterGroups.noted(DeadKind.MESSAGE, false, "gone"));

    /** Joins by id again: a waiting message may have been unblocked, and so moved, before it was locked. */
    private static final String DISCARD = """
            with w as (
                select w.id
                  from unnest(:ids) as w(id)
            """ + WAITING + """
            ), gone as (
                delete from orth_message m
                 using w
                 where m.id = w.id
                returning m.*
            ), kept as (
                insert into orth_message_history (id, queue_id, lane, status, seq, past, attempt, max_attempts, due_at, pushed_at,
                                                  finished_at, unique_key, group_key, trace_id, metadata, failures, payload)
                select id, queue_id, lane, 'DISCARDED', seq + 1, past || status_at, attempt, max_attempts, due_at, pushed_at,
                       :at, unique_key, group_key, trace_id, metadata, failures, payload
                  from gone
            )
            select id, seq + 1 as seq, status_at as since, attempt, null::bigint as executor_id, trace_id, group_key, unique_key, blocked, entity_id
              from gone
            """;

    /** A row after its transition, the keys that it held, and the entity that it carries. */
    record Moved(MovedRow row, MessageKeys.Held keys, Long entityId) {}

    private final JdbcClient jdbc;

    MessageMoves(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** @param claimed the same messages as delivered to the executor */
    void claim(LastWrites writes, List<Due> due, List<GivenMessage> claimed, long executor, Instant at) {
        List<ClaimedMessage> others = claimed.stream()
                .map(GivenMessage::message)
                .filter(message -> message.logId() != message.id())
                .sorted(comparing(ClaimedMessage::id))
                .toList();
        writes.add(
                CLAIM,
                new MapSqlParameterSource()
                        .addValue("executor", executor)
                        .addValue("at", SqlRows.timestamp(at))
                        .addValue("claimed", SqlArrays.bigints(due, Due::id))
                        .addValue("ids", SqlArrays.bigints(others, ClaimedMessage::id))
                        .addValue("logs", SqlArrays.bigints(others, ClaimedMessage::logId)),
                changed -> {
                    if (changed != due.size()) {
                        throw new IllegalStateException(
                                "%d of %d messages that were locked are as they were".formatted(changed, due.size()));
                    }
                });
    }

    /** @param moves transitions of one kind, in the order of their ids; those to {@link MessageStatus#DONE} belong to one executor */
    List<Moved> move(MessageStatus from, MessageStatus to, Queue of, List<MessageMove> moves, Instant at) {
        int queue = of.id();
        boolean dead = from == MessageStatus.DEAD;
        JdbcClient.StatementSpec statement = switch (to) {
            case DONE -> completed(queue, moves, at);
            case WAITING ->
                dead
                        ? decided(REVIVE, queue, moves, at).param("texts", SqlArrays.texts(moves, MessageMove::text))
                        : failed(PUT_BACK, queue, moves, at);
            case DEAD -> failed(BURY, queue, moves, at);
            case DISCARDED -> decided(dead ? DROP : DISCARD, queue, moves, at);
            case RUNNING -> throw new IllegalArgumentException("claims have a statement of their own");
        };
        Work work = Work.ofQueue(of.name());
        return statement.query((row, n) -> read(row, at, work)).list();
    }

    private JdbcClient.StatementSpec completed(int queue, List<MessageMove> moves, Instant at) {
        boolean saying = moves.stream().anyMatch(move -> move.text() != null);
        return reported(COMPLETE, queue, moves, at)
                .param("executor", moves.get(0).fence().executorId())
                .param("results", saying ? SqlArrays.texts(moves, MessageMove::text) : SqlArrays.noTexts());
    }

    private JdbcClient.StatementSpec decided(String statement, int queue, List<MessageMove> moves, Instant at) {
        return jdbc.sql(statement)
                .param("queue", queue)
                .param("at", SqlRows.timestamp(at))
                .param("ids", SqlArrays.bigints(moves, MessageMove::id));
    }

    private JdbcClient.StatementSpec reported(String statement, int queue, List<MessageMove> moves, Instant at) {
        return decided(statement, queue, moves, at)
                .param("logs", SqlArrays.bigints(moves, move -> move.fence().claimId()))
                .param("millis", SqlArrays.bigints(moves, MessageMove::runMillis));
    }

    private JdbcClient.StatementSpec failed(String statement, int queue, List<MessageMove> moves, Instant at) {
        return reported(statement, queue, moves, at)
                .param(
                        "executors",
                        SqlArrays.bigints(moves, move -> move.fence().executorId()))
                .param("codes", SqlArrays.integers(moves, m -> partOf(m.failure(), Failure::code)))
                .param("errors", SqlArrays.texts(moves, m -> partOf(m.failure(), Failure::error)))
                .param("stacks", SqlArrays.texts(moves, m -> partOf(m.failure(), Failure::stack)))
                .param("prints", SqlArrays.texts(moves, MessageMoves::fingerprint))
                .param("delays", SqlArrays.bigints(moves, m -> partOf(m.delay(), Duration::toMillis)))
                .param("uncounts", SqlArrays.integers(moves, m -> m.reason() == MessageCause.RETURNED ? 1 : 0))
                .param("causes", SqlArrays.texts(moves, MessageMove::cause));
    }

    private static String fingerprint(MessageMove move) {
        return move.to() == MessageStatus.DEAD ? move.failure().fingerprint() : null;
    }

    /** Returns the start of the previous status, at most {@code at}: transactions may reach a row in another order than they started. */
    static Instant since(Instant status, Instant at) {
        return status.isAfter(at) ? at : status;
    }

    private static Moved read(ResultSet row, Instant at, Work work) throws SQLException {
        long id = row.getLong("id");
        return new Moved(
                new MovedRow(
                        id,
                        row.getInt("seq"),
                        since(SqlRows.instant(row, "since"), at),
                        at,
                        null,
                        SqlRows.longOrNull(row, "executor_id"),
                        row.getString("trace_id"),
                        work,
                        row.getInt("attempt")),
                new MessageKeys.Held(
                        id, row.getString("group_key"), row.getString("unique_key"), row.getBoolean("blocked")),
                SqlRows.longOrNull(row, "entity_id"));
    }
}
