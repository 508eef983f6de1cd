package io.orth.admin.pipeline;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonRawValue;
import io.orth.admin.kernel.EntityKind;
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
import org.springframework.stereotype.Component;

/** Queries for tasks, their logs and their content. */
@Component
public final class PipelineTasks implements WorkSource {

    private static final String WANTED = """
             where root_id = :root
               and id > :after
               and (:stage::integer is null or stage = :stage::integer)
               and (:status::text is null or status = :status::text)
               and (:type::text is null or target_type = :type::text)
               and (:target::text is null or target_id = :target::text)
            """;

    private static final String ORDERED = " order by id limit :limit";

    private static final String LIST = TaskRepository.SELECT + WANTED + ORDERED;

    /** The index on one meta entry yields the tasks in list order; the other entries are compared per row. */
    private static final String LIST_OF_META =
            TaskRepository.SELECT + """
              join (select task_id
                      from orth_pipeline_task_meta
                     where root_id = :root
                       and name = :name
                       and value = :value) m on m.task_id = id
            """ + WANTED + " and meta @> :meta::jsonb" + ORDERED;

    /** Selects the longest unchanged tasks of each unfinished run, then the longest unchanged of these. */
    private static final String STUCK = """
            select t.*
              from orth_pipeline_run r
             cross join lateral (%s where root_id = r.id and is_open order by status_at limit :limit) t
             where not r.settled
             order by t.status_at
             limit :limit
            """.formatted(TaskRepository.SELECT);

    private static final String LOG = """
            select no, root_id as root_job_id, task_id, phase, payload, created_at
              from orth_execution_log
             where root_id = :root
               and no > :after
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

    private static final String ATTEMPTS_OF = """
            select t.id as task_id, t.stage, t.target_type, t.target_id, t.status, (l.payload ->> 'attempt')::integer as attempt,
                   (l.payload ->> 'executorId')::bigint as executor_id, (l.payload ->> 'logId')::bigint as log_id,
                   l.created_at as started_at
              from %s t
             cross join lateral (select payload, created_at
                                   from orth_execution_log
                                  where task_id = t.id
                                    and phase = 'start'
                                  order by no desc
                                  limit 1) l
            """;

    /** Orders failed tasks first and completed tasks last. */
    private static final String ATTEMPTS =
            ATTEMPTS_OF.formatted("""
            (select id, stage, target_type, target_id, status
               from orth_pipeline_task
              where root_id = :root
                and log_id is not null
              order by status <> 'FAILED', status = 'COMPLETED', id
              limit :limit)\
            """) + " order by t.status <> 'FAILED', t.status = 'COMPLETED', t.id";

    private static final String LAST_ATTEMPT = ATTEMPTS_OF.formatted("orth_pipeline_task") + " where t.id = :task";

    /** Columns that describe a task in transitions, read by {@link #work}. */
    static final String WORK = """
            select t.root_id, r.pipeline, s.name as stage, r.stages -> t.stage::integer ->> 'handler' as handler, t.target_type, t.target_id,
                   %s
              join orth_pipeline_run r on r.id = t.root_id
              join orth_pipeline_stage s on s.id = t.stage_id
            """;

    /**
     * Filter of a run's task list, oldest first. Null values match any task.
     *
     * @param meta the entries that a matching task has; null for any
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
     * @param taskId null if the line concerns the whole run
     * @param payload JSON
     */
    public record LogLine(
            long no,
            long rootJobId,
            Long taskId,
            String phase,
            @JsonRawValue String payload,
            Instant createdAt) {}

    /** The latest attempt at a task, with the ids needed to find its log. */
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

    /** A reference to content that a task has produced. */
    public record Content(long no, long taskId, String contentRef, String status, long size, Instant createdAt) {}

    private final JdbcClient jdbc;

    PipelineTasks(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    public PipelineTask get(long id) {
        return jdbc.sql(TaskRepository.SELECT + " where id = ?")
                .params(id)
                .query(TaskRepository.TASK)
                .optional()
                .orElseThrow(() -> OrthException.notFound("pipeline task", id));
    }

    public List<PipelineTask> list(Filter filter) {
        return PipelineTables.list(jdbc, LIST, LIST_OF_META, filter.meta())
                .param("root", filter.root())
                .param("stage", filter.stage())
                .param(
                        "status",
                        filter.status() == null ? null : filter.status().name())
                .param("type", filter.targetType())
                .param("target", filter.targetId())
                .param("after", filter.after())
                .param("limit", filter.limit())
                .query(TaskRepository.TASK)
                .list();
    }

    /** Returns open tasks of all runs, longest unchanged first. */
    public List<PipelineTask> unchanged(int limit) {
        return jdbc.sql(STUCK).param("limit", limit).query(TaskRepository.TASK).list();
    }

    /**
     * Returns the execution log of a run, oldest first.
     *
     * @param task null for all
     * @param phase null for all
     */
    public List<LogLine> log(long root, Long task, String phase, long after, int limit) {
        return log("asc", root, task, phase, after, limit);
    }

    /** Returns the latest lines of a run's execution log, newest first. */
    public List<LogLine> latestLog(long root, int limit) {
        return log("desc", root, null, null, 0, limit);
    }

    private List<LogLine> log(String order, long root, Long task, String phase, long after, int limit) {
        return jdbc.sql(LOG.formatted(order))
                .param("root", root)
                .param("task", task)
                .param("phase", phase)
                .param("after", after)
                .param("limit", limit)
                .query((row, n) -> new LogLine(
                        row.getLong("no"),
                        row.getLong("root_job_id"),
                        SqlRows.longOrNull(row, "task_id"),
                        row.getString("phase"),
                        row.getString("payload"),
                        SqlRows.instant(row, "created_at")))
                .list();
    }

    /** Returns the latest attempt of each task of a run that an executor has started; failed tasks first. */
    public List<Attempt> attempts(long root, int limit) {
        return jdbc.sql(ATTEMPTS)
                .param("root", root)
                .param("limit", limit)
                .query(Attempt.class)
                .list();
    }

    /** Returns the latest attempt at a task that an executor has started. */
    public Optional<Attempt> lastAttempt(long task) {
        return jdbc.sql(LAST_ATTEMPT).param("task", task).query(Attempt.class).optional();
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
        String facts = WORK.formatted("t.id from orth_pipeline_task t") + " where t.id = any(:ids)";
        return SqlRows.byId(
                jdbc.sql(facts).param("ids", SqlArrays.bigints(ids, id -> id)), Long.class, (row, n) -> work(row));
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
        jdbc.sql("select past, status_at from orth_pipeline_task where id = ?")
                .params(id)
                .query(row -> {
                    moments.add(SqlRows.instant(row, "status_at"));
                    moments.addAll(SqlRows.instants(row, "past"));
                });
        return moments;
    }
}
