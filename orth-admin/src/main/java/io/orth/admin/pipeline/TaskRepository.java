package io.orth.admin.pipeline;

import io.orth.admin.kernel.JsonText;
import io.orth.admin.kernel.RunIdGenerator;
import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.SqlRows;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;

/** SQL of tasks, except for status transitions. Callers own the transaction and have locked the run's row first. */
final class TaskRepository {

    private static final String INSERT = """
            insert into orth_pipeline_task (id, root_id, stage, stage_id, target_type, target_id, status, seq, status_at, max_attempts,
                                            created_by, params, meta, created_at)
            select w.id, :root, 0, :stageId, w.type, w.target, 'PENDING', 1, :at, :maxAttempts, :by, w.params::jsonb, w.meta::jsonb, :at
              from unnest(:ids, :types, :targets, :params, :metas) as w(id, type, target, params, meta)
            """;

    /** Creates tasks for the next proposals whose targets have no task yet. */
    private static final String FAN_OUT = """
            with chunk as materialized (
                select id, parent_id, target_type, target_id, params, meta
                  from orth_pipeline_proposal
                 where root_id = :root
                   and stage = :stage
                   and id > :after
                 order by id
                 limit :limit
            ), made as (
                insert into orth_pipeline_task (id, root_id, parent_id, stage, stage_id, target_type, target_id, status, seq, status_at,
                                                max_attempts, created_by, params, meta, created_at)
                select id, :root, parent_id, :stage, :stageId, target_type, target_id, 'PENDING', 1, :at, :maxAttempts, :by, params,
                       meta, :at
                  from chunk
                 order by id
                on conflict (root_id, stage, target_type, target_id) do nothing
                returning id, target_type
            )
            select chunk.id, made.target_type from chunk left join made on made.id = chunk.id
            """;

    static final String SELECT = """
            select id, root_id, parent_id, stage, stage_id, target_type, target_id, status, attempts, max_attempts, executor_id, log_id,
                   locked_at, created_by, params, meta, result, error, created_at, started_at, finished_at, status_at
              from orth_pipeline_task
            """;

    private static final String LOCK = SELECT + " where id = any(:ids) order by id for update";

    private static final String OPEN = SELECT + """
             where root_id = :root
               and is_open
             order by stage, id
             limit :limit
               for update
            """;

    private static final String THAT_FAILED = """
             where root_id = :root
               and is_failed
               and stage between :from and :to
               and (:only::bigint[] is null or id = any(:only::bigint[]))
            """;

    private static final String FAILED = SELECT + THAT_FAILED + " order by stage, id limit :limit for update";

    private static final String COUNT_FAILED = "select count(*) from orth_pipeline_task" + THAT_FAILED;

    private static final String PROPOSE = """
            insert into orth_pipeline_proposal (id, root_id, stage, parent_id, target_type, target_id, params, meta)
            select w.id, w.root, w.stage, w.parent, w.type, w.target, w.params::jsonb, w.meta::jsonb
              from unnest(:ids, :roots, :stages, :parents, :types, :targets, :params, :metas)
                as w(id, root, stage, parent, type, target, params, meta)
            """;

    static final RowMapper<PipelineTask> TASK = (row, n) -> new PipelineTask(
            row.getLong("id"),
            row.getLong("root_id"),
            SqlRows.longOrNull(row, "parent_id"),
            row.getInt("stage"),
            row.getInt("stage_id"),
            row.getString("target_type"),
            row.getString("target_id"),
            PipelineTaskStatus.valueOf(row.getString("status")),
            row.getInt("attempts"),
            row.getInt("max_attempts"),
            SqlRows.longOrNull(row, "executor_id"),
            SqlRows.longOrNull(row, "log_id"),
            row.getString("created_by"),
            row.getString("params"),
            JsonText.texts(row.getString("meta")),
            row.getString("result"),
            row.getString("error"),
            new PipelineTask.Times(
                    SqlRows.instant(row, "created_at"),
                    SqlRows.instant(row, "locked_at"),
                    SqlRows.instant(row, "started_at"),
                    SqlRows.instant(row, "finished_at"),
                    SqlRows.instant(row, "status_at")));

    /** @param stage the stage of the child */
    record Proposal(long root, int stage, long parent, Target target) {}

    /**
     * Result of one chunk of a fan-out.
     *
     * @param seen the number of proposals read
     * @param last the id of the last of them
     */
    record FannedOut(int seen, long last, List<NewTask> made) {}

    private final JdbcClient jdbc;
    private final RunIdGenerator ids;

    TaskRepository(JdbcClient jdbc, RunIdGenerator ids) {
        this.jdbc = jdbc;
        this.ids = ids;
    }

    /** Inserts the tasks of the first stage. */
    List<NewTask> insert(PipelineRun run, int stageId, List<Target> targets, Instant at) {
        long[] numbers = ids.next(targets.size());
        List<NewTask> tasks = new ArrayList<>(targets.size());
        for (int i = 0; i < numbers.length; i++) {
            tasks.add(new NewTask(numbers[i], targets.get(i).type()));
        }
        jdbc.sql(INSERT)
                .param("root", run.id())
                .param("stageId", stageId)
                .param("at", SqlRows.timestamp(at))
                .param("maxAttempts", run.stages().get(0).maxAttempts())
                .param("by", run.createdBy())
                .param("ids", SqlArrays.bigints(tasks, NewTask::id))
                .param("types", SqlArrays.texts(targets, Target::type))
                .param("targets", SqlArrays.texts(targets, Target::id))
                .param("params", SqlArrays.texts(targets, Target::params))
                .param("metas", SqlArrays.texts(targets, target -> JsonText.of(target.meta())))
                .update();
        return tasks;
    }

    void propose(List<Proposal> proposals) {
        if (proposals.isEmpty()) {
            return;
        }
        List<Long> numbers = Arrays.stream(ids.next(proposals.size())).boxed().toList();
        jdbc.sql(PROPOSE)
                .param("ids", SqlArrays.bigints(numbers, id -> id))
                .param("roots", SqlArrays.bigints(proposals, Proposal::root))
                .param("stages", SqlArrays.integers(proposals, Proposal::stage))
                .param("parents", SqlArrays.bigints(proposals, Proposal::parent))
                .param("types", SqlArrays.texts(proposals, p -> p.target().type()))
                .param("targets", SqlArrays.texts(proposals, p -> p.target().id()))
                .param("params", SqlArrays.texts(proposals, p -> p.target().params()))
                .param(
                        "metas",
                        SqlArrays.texts(proposals, p -> JsonText.of(p.target().meta())))
                .update();
    }

    FannedOut fanOut(PipelineRun run, Progress stage, int limit, Instant at) {
        List<NewTask> made = new ArrayList<>();
        List<Long> seen = new ArrayList<>();
        jdbc.sql(FAN_OUT)
                .param("root", run.id())
                .param("stage", stage.stage())
                .param("stageId", stage.stageId())
                .param("after", stage.fannedOutTo())
                .param("limit", limit)
                .param("at", SqlRows.timestamp(at))
                .param("maxAttempts", run.stages().get(stage.stage()).maxAttempts())
                .param("by", run.createdBy())
                .query(row -> {
                    seen.add(row.getLong("id"));
                    if (row.getString("target_type") != null) {
                        made.add(new NewTask(row.getLong("id"), row.getString("target_type")));
                    }
                });
        return new FannedOut(
                seen.size(), seen.stream().mapToLong(id -> id).max().orElse(stage.fannedOutTo()), made);
    }

    /** Counts one more step of a task, unless it has {@code most} already. */
    boolean countStep(long task, int most) {
        return jdbc.sql("update orth_pipeline_task set steps = steps + 1 where id = ? and steps < ?")
                        .params(task, most)
                        .update()
                > 0;
    }

    Set<Long> rootsOf(Collection<Long> tasks) {
        return new HashSet<>(jdbc.sql("select distinct root_id from orth_pipeline_task where id = any(:ids)")
                .param("ids", SqlArrays.bigints(tasks, id -> id))
                .query(Long.class)
                .list());
    }

    Map<Long, PipelineTask> find(Collection<Long> tasks) {
        return read(SELECT + " where id = any(:ids)", tasks);
    }

    Map<Long, PipelineTask> lock(Collection<Long> tasks) {
        return read(LOCK, tasks);
    }

    private Map<Long, PipelineTask> read(String statement, Collection<Long> tasks) {
        return SqlRows.byId(jdbc.sql(statement).param("ids", SqlArrays.bigints(tasks, id -> id)), Long.class, TASK);
    }

    List<PipelineTask> lockOpen(long root, int limit) {
        return jdbc.sql(OPEN)
                .param("root", root)
                .param("limit", limit)
                .query(TASK)
                .list();
    }

    /** @param only ids of tasks; null for all */
    List<PipelineTask> lockFailed(long root, int from, int to, Collection<Long> only, int limit) {
        return ofFailed(FAILED, root, from, to, only)
                .param("limit", limit)
                .query(TASK)
                .list();
    }

    /** @param only ids of tasks; null for all */
    long countFailed(long root, int from, int to, Collection<Long> only) {
        return ofFailed(COUNT_FAILED, root, from, to, only).query(Long.class).single();
    }

    private StatementSpec ofFailed(String statement, long root, int from, int to, Collection<Long> only) {
        return jdbc.sql(statement)
                .param("root", root)
                .param("from", from)
                .param("to", to)
                .param("only", only == null ? null : SqlArrays.bigints(only, id -> id));
    }
}
