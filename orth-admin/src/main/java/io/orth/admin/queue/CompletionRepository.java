package io.orth.admin.queue;

import io.orth.admin.kernel.JsonText;
import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.SqlRows;
import io.orth.protocol.Codes;
import io.orth.protocol.MessageResult;
import io.orth.protocol.TaskOutcome;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.springframework.jdbc.core.simple.JdbcClient;

/** SQL of completions that applications made inside their own transactions. Callers own the transaction. */
final class CompletionRepository {

    /** Skips rows that another node has locked. */
    private static final String TAKE = """
            select c.id, c.queue, c.message_id, c.log_id, m.executor_id, m.entity_id, c.result,
                   greatest(0, extract(epoch from c.created_at - m.status_at) * 1000)::bigint as run_millis
              from orth_message_completion c
              left join orth_message m on m.id = c.message_id and m.log_id = c.log_id and m.completed
             where (:ids::bigint[] is null or c.id = any(:ids::bigint[]))
               and (c.retry_at is null or c.retry_at <= clock_timestamp())
             order by c.id
             limit :limit
               for update of c skip locked
            """;

    private static final String DELETE = "delete from orth_message_completion where id = any(:ids)";

    private static final String POSTPONE = """
            update orth_message_completion
               set attempts = attempts + 1, retry_at = clock_timestamp() + :millis * interval '1 millisecond'
             where id = :id
            """;

    private static final String WITHDRAW = """
            update orth_message set completed = null where id = :message and log_id = :log and completed
            """;

    /** @param executorId null if the executor has reported the result itself */
    record Completion(long id, String queue, Long executorId, MessageResult result) {

        /** Returns this completion as a non-retryable failure. */
        Completion failed(String error) {
            return new Completion(
                    id,
                    queue,
                    executorId,
                    new MessageResult(result.id(), result.logId(), Codes.FAIL, error, true, null, result.runMillis()));
        }
    }

    private static final Pattern TREE = Pattern.compile("\\s*[{\\[]");
    private static final int MAX_TASK_RESULT_BYTES = 8_192;
    /** Number of characters that fit into {@link #MAX_TASK_RESULT_BYTES} even if each of them is escaped. */
    private static final int MAX_TASK_TEXT = 1_300;

    private final JdbcClient jdbc;

    CompletionRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** @param ids null for all */
    List<Completion> take(Collection<Long> ids, int limit) {
        return jdbc.sql(TAKE)
                .param("ids", ids == null ? SqlArrays.noBigints() : SqlArrays.bigints(ids, id -> id))
                .param("limit", limit)
                .query((row, n) -> read(row))
                .list();
    }

    private static Completion read(ResultSet row) throws SQLException {
        MessageResult result = new MessageResult(
                row.getLong("message_id"),
                row.getLong("log_id"),
                Codes.SUCCESS,
                row.getString("result"),
                false,
                null,
                row.getLong("run_millis"));
        return new Completion(
                row.getLong("id"),
                row.getString("queue"),
                SqlRows.longOrNull(row, "executor_id"),
                SqlRows.longOrNull(row, "entity_id") == null
                        ? result
                        : result.with(new TaskOutcome(jsonOf(result.text()), List.of(), null)));
    }

    /** Converts any text to a valid result of a pipeline task, because the completion is already committed. */
    private static String jsonOf(String text) {
        if (text == null
                || (JsonText.fits(text, MAX_TASK_RESULT_BYTES)
                        && TREE.matcher(text).lookingAt())) {
            return text;
        }
        String shortened =
                text.substring(0, Math.min(text.length(), MAX_TASK_TEXT)).replace("\0", "");
        return JsonText.of(shortened);
    }

    void delete(Collection<Long> ids) {
        jdbc.sql(DELETE).param("ids", SqlArrays.bigints(ids, id -> id)).update();
    }

    /** Returns the number of failed attempts to record the completion; empty if it was recorded in the meantime. */
    Optional<Integer> attempts(long id) {
        return jdbc.sql("select attempts from orth_message_completion where id = :id")
                .param("id", id)
                .query(Integer.class)
                .optional();
    }

    /** Withdraws the completion, so that another result of the message can count. */
    void withdraw(Completion completion) {
        jdbc.sql(WITHDRAW)
                .param("message", completion.result().id())
                .param("log", completion.result().logId())
                .update();
    }

    /** Records a failed attempt and delays the next one. */
    void postpone(long id, Duration delay) {
        jdbc.sql(POSTPONE).param("id", id).param("millis", delay.toMillis()).update();
    }
}
