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

    /** Tells these locks from others that have two numbers. */
    private static final int GATE = 1_869_771_880;

    /**
     * Shares the queue's row, so that its settings do not change meanwhile. Row locks are not fair: an exclusive one would wait as long as
     * others keep sharing it. So both pass a gate first, which is fair. The row is read as it is behind the gate.
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

    /** Several at once may be a few too many together. */
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

    /** A queue, and what time it was when it was read. */
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

    /** Nobody works on it until the transaction has ended. */
    Optional<Queue> lock(String name) {
        return jdbc.sql(LOCK).param("name", name).query((row, n) -> read(row)).optional();
    }

    /** By id. */
    Map<Integer, String> names(Collection<Integer> ids) {
        return SqlRows.byId(
                jdbc.sql(NAMES).param("ids", SqlArrays.integers(ids, id -> id)),
                Integer.class,
                (row, n) -> row.getString("name"));
    }

    List<Queue> list() {
        return jdbc.sql(LIST).query((row, n) -> read(row)).list();
    }

    /** Some by name; {@code part} and {@code after} are null for any. */
    List<Queue> list(String part, String after, int limit) {
        return jdbc.sql(PAGE)
                .param("part", part)
                .param("after", after)
                .param("limit", limit)
                .query((row, n) -> read(row))
                .list();
    }

    /** Does nothing where there is one of this name, or as many as there may be. */
    void add(String name, QueueSetup setup, int mostQueues) {
        SqlRows.bind(jdbc.sql(ADD), new RetryPolicy(setup.maxAttempts(), setup.backoff()))
                .param("name", name)
                .param("mostQueues", mostQueues)
                .update();
    }

    /** Whether it has any that are not over, or somebody is about to change some. */
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

    /** Does nothing where it has one. */
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
