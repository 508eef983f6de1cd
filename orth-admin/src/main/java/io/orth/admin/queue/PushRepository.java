package io.orth.admin.queue;

import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.SqlArrays;
import io.orth.protocol.PushReply.Pushed;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.springframework.jdbc.core.simple.JdbcClient;

/** SQL of pushes with an idempotency key, and of their results. Callers own the transaction. */
final class PushRepository {

    /** Waits if the same push is in progress on another node. */
    private static final String BEGIN = """
            insert into orth_push (id, queue_id) values (:id, :queue) on conflict (id) do nothing
            """;

    private static final String END = """
            update orth_push set message_ids = :ids, duplicates = :duplicates where id = :id
            """;

    private static final String ANSWER = "select message_ids, duplicates, queue_id from orth_push where id = :id";

    /** Exceeds the time for which any client waits for a response. */
    private static final String EXPIRE = """
            delete from orth_push
             where id = any(array(select id from orth_push where at < now() - interval '1 day' order by at limit :limit))
            """;

    private final JdbcClient jdbc;

    PushRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Registers a push. Returns false if the id was used before. */
    boolean begin(String id, Queue queue) {
        return jdbc.sql(BEGIN).param("id", id).param("queue", queue.id()).update() > 0;
    }

    void end(String id, List<Pushed> pushed) {
        List<Integer> duplicates = IntStream.range(0, pushed.size())
                .filter(i -> pushed.get(i).duplicate())
                .mapToObj(i -> i + 1)
                .toList();
        jdbc.sql(END)
                .param("id", id)
                .param("ids", SqlArrays.bigints(pushed, Pushed::id))
                .param("duplicates", SqlArrays.integers(duplicates, position -> position))
                .update();
    }

    /** Returns the result of the push that used this id. Fails if that was a different push. */
    List<Pushed> answer(String id, Queue queue, int messages) {
        List<Pushed> pushed = jdbc.sql(ANSWER)
                .param("id", id)
                .query((row, n) -> row.getInt("queue_id") == queue.id() ? read(row) : List.<Pushed>of())
                .single();
        if (pushed.size() != messages) {
            throw OrthException.of(
                    ErrorCode.CONFLICT, "the idempotency key %s was used for another push".formatted(id));
        }
        return pushed;
    }

    private static List<Pushed> read(ResultSet row) throws SQLException {
        Long[] ids = (Long[]) row.getArray("message_ids").getArray();
        Set<Integer> duplicates = Set.of((Integer[]) row.getArray("duplicates").getArray());
        List<Pushed> pushed = new ArrayList<>(ids.length);
        for (Long id : ids) {
            pushed.add(new Pushed(id, duplicates.contains(pushed.size() + 1)));
        }
        return pushed;
    }

    /** Deletes pushes of all queues that are older than a day. */
    static int expire(JdbcClient jdbc, int limit) {
        return jdbc.sql(EXPIRE).param("limit", limit).update();
    }
}
