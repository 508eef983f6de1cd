package io.orth.admin.queue;

import io.orth.admin.kernel.RetryPolicy;
import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.SqlRows;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;

/** SQL of queues. */
final class QueueRepository {

    private static final String SELECT = """
            select id, name, group_id, paused, max_attempts, backoff_initial_ms, backoff_multiplier, backoff_max_ms,
                   backoff_jitter, rate_limit, concurrency_limit, version, created_at, clock_timestamp() as at
              from orth_queue
            """;

    private static final String BY_NAME = SELECT + " where name = :name";

    /** Distinguishes these advisory locks from others with two keys. */
    private static final int GATE = 1_869_771_880;

    /**
     * Shares the queue's row, so that its settings do not change. Row locks are not fair: an exclusive request starves while shared ones
     * keep arriving. So both first pass an advisory lock, the gate, which is fair. The row is read in the state after the gate.
     */
    static final String THROUGH_THE_GATE = " and pg_advisory_xact_lock_shared(%d, id) is not null".formatted(GATE);

    static final String ENTER = BY_NAME + THROUGH_THE_GATE + " for key share";

    private static final String LIST = SELECT + " order by name";

    private static final String PAGE = SELECT + """
             where (:part::text is null or position(lower(:part) in lower(name)) > 0)
               and (:after::text is null or name > :after)
             order by name
             limit :limit
            """;

    private static final String LOCK =
            BY_NAME + " and pg_advisory_xact_lock(%d, id) is not null for update".formatted(GATE);

    private static final String NAMES = "select id, name from orth_queue where id = any(:ids)";

    /** Concurrent inserts may exceed the maximum by a few. */
    private static final String ADD = """
            insert into orth_queue (name, max_attempts, backoff_initial_ms, backoff_multiplier, backoff_max_ms, backoff_jitter)
            select :name, :maxAttempts, :initialDelay, :multiplier, :maxDelay, :jitter
             where (select count(*) from (select from orth_queue limit :mostQueues) q) < :mostQueues
            on conflict (name) do nothing
            """;

    private static final String HAS_MESSAGES = """
            select exists (select from orth_message where queue_id = :id and size >= 0)
                or exists (select from orth_dead_letter where queue_id = :id)
                or exists (select from orth_message_inbox where queue = (select name from orth_queue where id = :id))
                or exists (select from orth_operation where queue_id = :id and finished_at is null)
            """;

    private static final String DELETE = "delete from orth_queue where id = :id";

    private static final String UPDATE = """
            update orth_queue
               set group_id = :group::integer, max_attempts = :maxAttempts, backoff_initial_ms = :initialDelay,
                   backoff_multiplier = :multiplier, backoff_max_ms = :maxDelay, backoff_jitter = :jitter, rate_limit = :rate::integer,
                   concurrency_limit = :concurrency::integer, version = version + 1
             where id = :id
            """;

    private static final String PAUSE = "update orth_queue set paused = :paused, version = version + 1 where id = :id";

    private static final String ADOPT = "update orth_queue set group_id = :group where id = :id and group_id is null";

    /** A queue and the time at which its row was read. */
    record Entered(Queue queue, Instant at) {}

    private final JdbcClient jdbc;

    QueueRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    Optional<Queue> find(String name) {
        return jdbc.sql(BY_NAME)
                .param("name", name)
                .query((row, n) -> read(row))
                .optional();
    }

    Optional<Entered> enter(String name) {
        return jdbc.sql(ENTER)
                .param("name", name)
                .query((row, n) -> entered(row))
                .optional();
    }

    static Entered entered(ResultSet row) throws SQLException {
        return new Entered(read(row), SqlRows.instant(row, "at"));
    }

    /** Locks the queue exclusively: no other transaction works on it until this one ends. */
    Optional<Queue> lock(String name) {
        return jdbc.sql(LOCK).param("name", name).query((row, n) -> read(row)).optional();
    }

    /** Returns the names of queues by id. */
    Map<Integer, String> names(Collection<Integer> ids) {
        return SqlRows.byId(
                jdbc.sql(NAMES).param("ids", SqlArrays.integers(ids, id -> id)),
                Integer.class,
                (row, n) -> row.getString("name"));
    }

    List<Queue> list() {
        return jdbc.sql(LIST).query((row, n) -> read(row)).list();
    }

    /** Returns queues by name. {@code part} and {@code after} are null for any. */
    List<Queue> list(String part, String after, int limit) {
        return jdbc.sql(PAGE)
                .param("part", part)
                .param("after", after)
                .param("limit", limit)
                .query((row, n) -> read(row))
                .list();
    }

    /** Creates a queue, unless the name is taken or the maximum number of queues is reached. */
    void add(String name, QueueSetup setup, int mostQueues) {
        SqlRows.bind(jdbc.sql(ADD), new RetryPolicy(setup.maxAttempts(), setup.backoff()))
                .param("name", name)
                .param("mostQueues", mostQueues)
                .update();
    }

    /** Returns whether the queue has unfinished messages, dead letters, pushes in the inbox or an unfinished bulk operation. */
    boolean hasMessages(int queue) {
        return jdbc.sql(HAS_MESSAGES).param("id", queue).query(Boolean.class).single();
    }

    void delete(int queue) {
        jdbc.sql(DELETE).param("id", queue).update();
    }

    void update(int queue, QueueSetup setup) {
        SqlRows.bind(jdbc.sql(UPDATE), new RetryPolicy(setup.maxAttempts(), setup.backoff()))
                .param("id", queue)
                .param("group", setup.groupId())
                .param("rate", setup.limits().rate())
                .param("concurrency", setup.limits().concurrency())
                .update();
    }

    void pause(int queue, boolean paused) {
        jdbc.sql(PAUSE).param("id", queue).param("paused", paused).update();
    }

    /** Assigns a group to the queue if it has none. */
    void adopt(int queue, int group) {
        jdbc.sql(ADOPT).param("id", queue).param("group", group).update();
    }

    private static Queue read(ResultSet row) throws SQLException {
        return new Queue(
                row.getInt("id"),
                row.getString("name"),
                SqlRows.intOrNull(row, "group_id"),
                row.getBoolean("paused"),
                row.getInt("max_attempts"),
                SqlRows.backoff(row),
                new Queue.Limits(SqlRows.intOrNull(row, "rate_limit"), SqlRows.intOrNull(row, "concurrency_limit")),
                row.getInt("version"),
                SqlRows.instant(row, "created_at"));
    }
}
