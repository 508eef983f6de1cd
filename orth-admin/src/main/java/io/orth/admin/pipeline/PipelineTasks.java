package io.orth.admin.pipeline;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonRawValue;
import io.orth.admin.kernel.EntityKind;
import io.orth.admin.kernel.JsonText;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.SqlArrays;
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
import org.springframework.jdbc.core.simple.JdbcClient;

/** What tasks there are, what they did and what they made. */
public final class PipelineTasks implements WorkSource {

    private static final String SELECT = """
            select id, root_id, parent_id, stage, stage_id, target_type, target_id, status, attempts, max_attempts, executor_id, log_id,
                   locked_at, created_by, params, meta, result, error, created_at, started_at, finished_at, status_at
              from orth_pipeline_task
            """;

    private static final String WANTED = """
             where root_id = :root
               and id > :after
               and (:stage::integer is null or stage = :stage::integer)
               and (:status::text is null or status = :status::text)
               and (:type::text is null or target_type = :type::text)
               and (:target::text is null or target_id = :target::text)
            """;

    private static final String ORDERED = " order by id limit :limit";

    private static final String LIST = SELECT + WANTED + ORDERED;

    /** One pair finds the tasks in their order; the others are compared. */
    private static final String LIST_OF_META = SELECT + """
              join (select task_id
                      from orth_pipeline_task_meta
                     where root_id = :root
                       and name = :name
                       and value = :value) m on m.task_id = id
            """ + WANTED + " and meta @> :meta::jsonb" + ORDERED;

    /** Of each run that is not over, the first that have not changed for the longest time; then of all of them. */
    private static final String STUCK = """
            select t.*
              from orth_pipeline_run r
             cross join lateral (select id, root_id, parent_id, stage, stage_id, target_type, target_id, status, attempts, max_attempts,
                                        executor_id, log_id, locked_at, created_by, params, meta, result, error, created_at, started_at,
                                        finished_at, status_at
                                   from orth_pipeline_task
                                  where root_id = r.id
                                    and is_open
                                  order by status_at
                                  limit :limit) t
             where not r.settled
             order by t.status_at
             limit :limit
            """;

    private static final String LOG = """
            select no, root_id, task_id, phase, payload, created_at
              from orth_execution_log
             where root_id = :root
               and no > :after
               and no < :before
               and (:task::bigint is null or task_id = :task::bigint)
               and (:phase::text is null or phase = :phase::text)
             order by no %s
             limit :limit
            """;

    private static final String CONTENT = """
            select no, task_id, content_ref, status, size, created_at
              from orth_content_log
             where root_id = :root
               and no > :after
               and (:task::bigint is null or task_id = :task::bigint)
               and (:status::text is null or status = :status::text)
             order by no
             limit :limit
            """;

    /** What has failed comes first, and what has succeeded last. */
    private static final String LAST_START = """
            (select payload, created_at
               from orth_execution_log
              where task_id = t.id
                and phase = 'start'
              order by no desc
              limit 1)""";

    private static final String ATTEMPTS = """
            select t.id, t.stage, t.target_type, t.target_id, t.status, l.created_at, (l.payload ->> 'attempt')::integer as attempt,
                   (l.payload ->> 'executorId')::bigint as executor_id, (l.payload ->> 'logId')::bigint as log_id
              from (select id, stage, target_type, target_id, status
                      from orth_pipeline_task
                     where root_id = :root
                       and log_id is not null
                     order by status <> 'FAILED', status = 'COMPLETED', id
                     limit :limit) t
             cross join lateral %s l
             order by t.status <> 'FAILED', t.status = 'COMPLETED', t.id
            """.formatted(LAST_START);

    private static final String LAST_ATTEMPT = """
            select t.id, t.stage, t.target_type, t.target_id, t.status, l.created_at, (l.payload ->> 'attempt')::integer as attempt,
                   (l.payload ->> 'executorId')::bigint as executor_id, (l.payload ->> 'logId')::bigint as log_id
              from orth_pipeline_task t
             cross join lateral %s l
             where t.id = :task
            """.formatted(LAST_START);

    /** Facts for transitions, with the columns of {@link #work}. */
    static final String WORK_COLUMNS =
            "t.root_id, r.pipeline, s.name as stage, r.stages -> t.stage::integer ->> 'handler' as handler, t.target_type, t.target_id";

    private static final String WORK = "select t.id, " + WORK_COLUMNS + """

              from orth_pipeline_task t
              join orth_pipeline_run r on r.id = t.root_id
              join orth_pipeline_stage s on s.id = t.stage_id
             where t.id = any(:ids)
            """;

    /**
     * Which tasks of a run are wanted, the oldest first; what is null does not matter.
     *
     * @param meta which all of them have; null for any
     */
    public record Filter(
            long root,
            Integer stage,
            PipelineTaskStatus status,
            String targetType,
            String targetId,
            Map<String, String> meta,
            long after,
            int limit) {

        public Filter {
            meta = meta == null ? Map.of() : Map.copyOf(meta);
            Target.checkMeta(meta);
        }
    }

    /**
     * A line of the execution log.
     *
     * @param taskId null where it is about the run
     * @param payload JSON
     */
    public record LogLine(
            long no,
            long rootJobId,
            Long taskId,
            String phase,
            @JsonRawValue String payload,
            Instant createdAt) {}

    /** The latest attempt at a task, as far as it takes to find its log. */
    public record Attempt(
            long taskId,
            @JsonIgnore int stage,
            String targetType,
            String targetId,
            PipelineTaskStatus status,
            int attempt,
            long executorId,
            long logId,
            Instant startedAt) {}

    /** Something that a task has made. */
    public record Content(long no, long taskId, String contentRef, String status, long size, Instant createdAt) {}

    private final JdbcClient jdbc;

    PipelineTasks(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    public PipelineTask get(long id) {
        return jdbc.sql(SELECT + " where id = :id")
                .param("id", id)
                .query((row, n) -> TaskRepository.read(row))
                .optional()
                .orElseThrow(() -> OrthException.notFound("pipeline task", id));
    }

    public List<PipelineTask> list(Filter filter) {
        JdbcClient.StatementSpec statement = jdbc.sql(LIST);
        if (!filter.meta().isEmpty()) {
            Map.Entry<String, String> first =
                    filter.meta().entrySet().iterator().next();
            statement = jdbc.sql(LIST_OF_META)
                    .param("name", first.getKey())
                    .param("value", first.getValue())
                    .param("meta", JsonText.of(filter.meta()));
        }
        return statement
                .param("root", filter.root())
                .param("stage", filter.stage())
                .param(
                        "status",
                        filter.status() == null ? null : filter.status().name())
                .param("type", filter.targetType())
                .param("target", filter.targetId())
                .param("after", filter.after())
                .param("limit", filter.limit())
                .query((row, n) -> TaskRepository.read(row))
                .list();
    }

    /** Open tasks of all runs, those first that have not changed for the longest time. */
    public List<PipelineTask> unchanged(int limit) {
        return jdbc.sql(STUCK)
                .param("limit", limit)
                .query((row, n) -> TaskRepository.read(row))
                .list();
    }

    /**
     * What happened in a run, the oldest first.
     *
     * @param task null for all
     * @param phase null for all
     */
    public List<LogLine> log(long root, Long task, String phase, long after, int limit) {
        return log("asc", root, task, phase, after, Long.MAX_VALUE, limit);
    }

    /** The latest that happened in a run, the latest first. */
    public List<LogLine> latestLog(long root, int limit) {
        return log("desc", root, null, null, 0, Long.MAX_VALUE, limit);
    }

    private List<LogLine> log(String order, long root, Long task, String phase, long after, long before, int limit) {
        return jdbc.sql(LOG.formatted(order))
                .param("root", root)
                .param("task", task)
                .param("phase", phase)
                .param("after", after)
                .param("before", before)
                .param("limit", limit)
                .query((row, n) -> new LogLine(
                        row.getLong("no"),
                        row.getLong("root_id"),
                        SqlRows.longOrNull(row, "task_id"),
                        row.getString("phase"),
                        row.getString("payload"),
                        SqlRows.instant(row, "created_at")))
                .list();
    }

    /** The latest attempts at tasks of a run that executors have begun with; of those that failed first. */
    public List<Attempt> attempts(long root, int limit) {
        return jdbc.sql(ATTEMPTS)
                .param("root", root)
                .param("limit", limit)
                .query((row, n) -> attempt(row))
                .list();
    }

    /** The latest attempt at a task that an executor has begun with. */
    public Optional<Attempt> lastAttempt(long task) {
        return jdbc.sql(LAST_ATTEMPT)
                .param("task", task)
                .query((row, n) -> attempt(row))
                .optional();
    }

    private static Attempt attempt(ResultSet row) throws SQLException {
        return new Attempt(
                row.getLong("id"),
                row.getInt("stage"),
                row.getString("target_type"),
                row.getString("target_id"),
                PipelineTaskStatus.valueOf(row.getString("status")),
                row.getInt("attempt"),
                row.getLong("executor_id"),
                row.getLong("log_id"),
                SqlRows.instant(row, "created_at"));
    }

    public List<Content> content(long root, Long task, String status, long after, int limit) {
        return jdbc.sql(CONTENT)
                .param("root", root)
                .param("task", task)
                .param("status", status)
                .param("after", after)
                .param("limit", limit)
                .query((row, n) -> new Content(
                        row.getLong("no"),
                        row.getLong("task_id"),
                        row.getString("content_ref"),
                        row.getString("status"),
                        row.getLong("size"),
                        SqlRows.instant(row, "created_at")))
                .list();
    }

    @Override
    public EntityKind kind() {
        return EntityKind.PIPELINE_TASK;
    }

    @Override
    public Map<Long, Work> find(Collection<Long> ids) {
        return SqlRows.byId(
                jdbc.sql(WORK).param("ids", SqlArrays.bigints(ids, id -> id)), Long.class, (row, n) -> work(row));
    }

    static Work work(ResultSet row) throws SQLException {
        return Work.ofTask(
                row.getLong("root_id"),
                row.getString("pipeline"),
                row.getString("stage"),
                row.getString("handler"),
                row.getString("target_type"),
                row.getString("target_id"));
    }

    @Override
    public Set<Instant> momentsOf(long id) {
        Set<Instant> moments = new HashSet<>();
        jdbc.sql("select past, status_at from orth_pipeline_task where id = :id")
                .param("id", id)
                .query(row -> {
                    moments.add(SqlRows.instant(row, "status_at"));
                    moments.addAll(SqlRows.instants(row, "past"));
                });
        return moments;
    }
}
