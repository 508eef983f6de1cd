package io.orth.admin.pipeline;

import io.orth.admin.kernel.EntityKind;
import io.orth.admin.kernel.JsonText;
import io.orth.admin.kernel.Lifecycle;
import io.orth.admin.kernel.MovedRow;
import io.orth.admin.kernel.RunIdGenerator;
import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.SqlRows;
import io.orth.admin.kernel.StateChanges;
import io.orth.admin.kernel.StatusTable;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;

/** SQL of runs, and the only writer of a run's status. Callers own the transaction. */
final class PipelineRunRepository {

    private static final String SELECT = """
            select id, pipeline, version, stages, status, stage, scope, options, meta, created_by, trace_id, estimate, failure,
                   result, links, created_at, started_at, finished_at, updated_at
              from orth_pipeline_run
            """;

    private static final String WANTED = """
             where id < :before
               and id >= :lowest
               and (:pipeline::text is null or pipeline = :pipeline::text)
               and (:status::text is null or status = :status::text)
               and (:createdBy::text is null or created_by = :createdBy::text)
            """;

    private static final String ORDERED = " order by id desc limit :limit";

    private static final String LIST = SELECT + WANTED + ORDERED;

    /** The index on one meta entry yields the runs in list order; the other entries are compared per row. */
    private static final String LIST_OF_META = SELECT + """
              join (select run_id from orth_pipeline_run_meta where name = :name and value = :value) m on m.run_id = id
            """ + WANTED + " and meta @> :meta::jsonb" + ORDERED;

    private static final String INSERT = """
            insert into orth_pipeline_run (id, pipeline, version, stages, status, seq, status_at, scope, options, meta, created_by,
                                           trace_id, idempotency_key, request_hash, estimate, look_at, audit_at, created_at, updated_at)
            values (:id, :pipeline, :version, :stages::jsonb, 'PENDING', 1, :at, :scope::jsonb, :options::jsonb, :meta::jsonb, :by,
                    :trace, :key, :hash, :estimate::bigint, :at, :at::timestamptz + interval '1 minute', :at, :at)
            on conflict (pipeline, idempotency_key) where idempotency_key is not null do nothing
            """;

    private static final String ADD_PROGRESS = """
            with added as (
                insert into orth_pipeline_progress (root_id, stage, stage_id, expected, created)
                select :root, n.place - 1, s.id, case when n.place = 1 then :expected::bigint end,
                       case when n.place = 1 then :expected::bigint else 0 end
                  from unnest(:names) with ordinality as n(name, place)
                  join orth_pipeline_stage s on s.pipeline = :pipeline and s.name = n.name
                returning stage, stage_id
            )
            select stage_id from added where stage = 0
            """;

    private static final StatusTable<PipelineRunMove> MOVES = StatusTable.<PipelineRunMove>of("orth_pipeline_run")
            .column("why", moves -> SqlArrays.texts(moves, PipelineRunMove::failure))
            .at(":at")
            .set("""
                    updated_at = :at,
                    started_at = case when w.target = 'RUNNING' then coalesce(t.started_at, :at) else t.started_at end,
                    finished_at = case when w.target in ('COMPLETED', 'FAILED', 'CANCELLED') then :at end,
                    failure = w.why::jsonb, settled = w.target in ('COMPLETED', 'FAILED'), look_at = :at\
                    """)
            .facts("null::integer", "null::bigint", "t.trace_id")
            .update();

    private static final String SET_RESULT = """
            update orth_pipeline_run set result = :result::jsonb, links = :links::jsonb, updated_at = :at where id = :id
            """;

    /** Adds deltas that are not folded yet. */
    static final String PROGRESS = """
            select p.root_id, p.stage, p.stage_id, s.name, s.paused, p.expected, p.fanned_out_to, p.created,
                   p.completed + coalesce(d.completed, 0) as completed, p.failed + coalesce(d.failed, 0) as failed, p.cancelled + coalesce(d.cancelled, 0) as cancelled
              from orth_pipeline_progress p
              join orth_pipeline_stage s on s.id = p.stage_id
              left join (select root_id, stage, sum(completed) as completed, sum(failed) as failed, sum(cancelled) as cancelled
                           from orth_pipeline_delta
                          where root_id = any(:ids)
                          group by root_id, stage) d on d.root_id = p.root_id and d.stage = p.stage
             where p.root_id = any(:ids)
             order by p.root_id, p.stage
            """;

    /** By hand: mapping by the names of the record's components throws an exception for each value, and the reconciler reads this often. */
    private static final RowMapper<Progress> STAGE = (row, n) -> new Progress(
            row.getLong("root_id"),
            row.getInt("stage"),
            row.getInt("stage_id"),
            row.getString("name"),
            row.getBoolean("paused"),
            SqlRows.longOrNull(row, "expected"),
            row.getLong("fanned_out_to"),
            row.getLong("created"),
            row.getLong("completed"),
            row.getLong("failed"),
            row.getLong("cancelled"));

    private static final String LAST_COMPLETED = """
            select sum(p.expected)::float8 / nullif(sum(p.expected) filter (where p.stage = 0), 0)
              from orth_pipeline_progress p
             where p.root_id = (select id
                                  from orth_pipeline_run
                                 where pipeline = :pipeline
                                   and status = 'COMPLETED'
                                 order by id desc
                                 limit 1)
            """;

    private static final RowMapper<PipelineRun> RUN = (row, n) -> new PipelineRun(
            row.getLong("id"),
            row.getString("pipeline"),
            row.getInt("version"),
            PipelineRepository.readStages(row.getString("stages")),
            PipelineRunStatus.valueOf(row.getString("status")),
            row.getInt("stage"),
            row.getString("scope"),
            row.getString("options"),
            row.getString("meta"),
            row.getString("created_by"),
            row.getString("trace_id"),
            SqlRows.longOrNull(row, "estimate"),
            row.getString("failure"),
            PipelineRunResult.read(row.getString("result"), row.getString("links")),
            new PipelineRun.Times(
                    SqlRows.instant(row, "created_at"),
                    SqlRows.instant(row, "started_at"),
                    SqlRows.instant(row, "finished_at"),
                    SqlRows.instant(row, "updated_at")),
            List.of());

    /** A run that was submitted under a key, and the hash of that request. */
    record Known(long id, String requestHash) {}

    private final JdbcClient jdbc;
    private final StateChanges journal;

    PipelineRunRepository(JdbcClient jdbc, StateChanges journal) {
        this.jdbc = jdbc;
        this.journal = journal;
    }

    /**
     * Inserts the run; returns false if one with this key exists.
     *
     * @param hash hash of the request, which distinguishes different submissions under the same key
     */
    boolean insert(long id, Pipeline pipeline, Submission submission, Long estimate, String hash, Instant at) {
        int inserted = jdbc.sql(INSERT)
                .param("id", id)
                .param("pipeline", pipeline.name())
                .param("version", pipeline.version())
                .param("stages", PipelineRepository.writeStages(pipeline.stages()))
                .param("at", SqlRows.timestamp(at))
                .param("scope", submission.scope())
                .param("options", submission.options())
                .param("meta", JsonText.of(submission.meta()))
                .param("by", submission.by())
                .param("trace", submission.traceId())
                .param("key", submission.key())
                .param("hash", hash)
                .param("estimate", estimate)
                .update();
        if (inserted > 0) {
            lifecycle(at)
                    .created(
                            List.of(new MovedRow(id, 1, null, at, null, null, submission.traceId())),
                            PipelineRunStatus.PENDING,
                            PipelineRunCause.SUBMITTED.name());
        }
        return inserted > 0;
    }

    /** Returns the id of the first stage, which expects {@code expected} tasks. */
    int addProgress(PipelineRun run, long expected) {
        return jdbc.sql(ADD_PROGRESS)
                .param("root", run.id())
                .param("pipeline", run.pipeline())
                .param("names", SqlArrays.texts(run.stages(), Stage::name))
                .param("expected", expected)
                .query(Integer.class)
                .single();
    }

    Optional<Known> find(String pipeline, String key) {
        return jdbc.sql("""
                        select id, request_hash
                          from orth_pipeline_run
                         where pipeline = ?
                           and idempotency_key = ?
                        """).params(pipeline, key).query(Known.class).optional();
    }

    /** Returns the number of tasks per task of the first stage in the last completed run; empty if there is none. */
    Optional<Double> tasksForEach(String pipeline) {
        return jdbc.sql(LAST_COMPLETED)
                .param("pipeline", pipeline)
                .query(Double.class)
                .optional();
    }

    void move(PipelineRunMove move, Instant at) {
        move(List.of(move), at);
    }

    Set<Long> move(Collection<PipelineRunMove> moves, Instant at) {
        return lifecycle(at).moveAll(moves);
    }

    private Lifecycle<PipelineRunStatus, PipelineRunMove> lifecycle(Instant at) {
        return new Lifecycle<>(EntityKind.PIPELINE_RUN, moves -> execute(moves, at), journal);
    }

    private List<MovedRow> execute(List<PipelineRunMove> moves, Instant at) {
        return MOVES.on(jdbc, moves)
                .param("at", SqlRows.timestamp(at))
                .query((row, n) -> StatusTable.read(row))
                .list();
    }

    /** Returns whether the run exists. Its status does not matter. */
    boolean setResult(long id, PipelineRunResult result, Instant at) {
        return jdbc.sql(SET_RESULT)
                        .param("id", id)
                        .param("result", result.result())
                        .param("links", result.linksText())
                        .param("at", SqlRows.timestamp(at))
                        .update()
                > 0;
    }

    Optional<PipelineRun> find(long id) {
        return find(id, "").map(run -> withProgress(List.of(run)).get(0));
    }

    private Optional<PipelineRun> find(long id, String lock) {
        return jdbc.sql(SELECT + " where id = ?" + lock).params(id).query(RUN).optional();
    }

    /** Returns the runs without their progress. */
    Map<Long, PipelineRun> find(Collection<Long> runs) {
        return find(runs, "");
    }

    Map<Long, List<Stage>> stagesOf(Collection<Long> runs) {
        Map<Long, List<Stage>> stages = new HashMap<>();
        jdbc.sql("select id, stages from orth_pipeline_run where id = any(:ids)")
                .param("ids", SqlArrays.bigints(runs, id -> id))
                .query(row -> {
                    stages.put(row.getLong("id"), PipelineRepository.readStages(row.getString("stages")));
                });
        return stages;
    }

    /** Locks the runs for key share, for transactions that work on their tasks; the status of the runs cannot change meanwhile. */
    Map<Long, PipelineRun> enter(Collection<Long> runs) {
        return find(runs, " order by id for key share");
    }

    private Map<Long, PipelineRun> find(Collection<Long> runs, String lock) {
        return SqlRows.byId(
                jdbc.sql(SELECT + " where id = any(:ids)" + lock).param("ids", SqlArrays.bigints(runs, id -> id)),
                Long.class,
                RUN);
    }

    /** Blocks starting and finishing of the run's tasks and its reconciliation until the transaction ends. */
    Optional<PipelineRun> lock(long id) {
        return find(id, " for update");
    }

    List<PipelineRun> list(PipelineRunFilter filter) {
        long before = filter.to() == null
                ? filter.before()
                : Math.min(filter.before(), RunIdGenerator.lowestIdAt(filter.to()));
        return withProgress(PipelineTables.list(jdbc, LIST, LIST_OF_META, filter.meta())
                .param("before", before)
                .param("lowest", filter.from() == null ? 0 : RunIdGenerator.lowestIdAt(filter.from()))
                .param("pipeline", filter.pipeline())
                .param(
                        "status",
                        filter.status() == null ? null : filter.status().name())
                .param("createdBy", filter.createdBy())
                .param("limit", filter.limit())
                .query(RUN)
                .list());
    }

    private List<PipelineRun> withProgress(List<PipelineRun> runs) {
        Map<Long, List<Progress>> progress =
                progress(runs.stream().map(PipelineRun::id).toList());
        return runs.stream()
                .map(run -> run.with(progress.getOrDefault(run.id(), List.of())))
                .toList();
    }

    /** Returns the progress of each run's stages, in stage order. */
    Map<Long, List<Progress>> progress(Collection<Long> runs) {
        if (runs.isEmpty()) {
            return Map.of();
        }
        List<Progress> found = jdbc.sql(PROGRESS)
                .param("ids", SqlArrays.bigints(runs, id -> id))
                .query(STAGE)
                .list();
        return found.stream().collect(Collectors.groupingBy(Progress::rootId));
    }

    boolean hasOpen(String pipeline) {
        return jdbc.sql("select exists(select from orth_pipeline_run where pipeline = ? and not settled)")
                .params(pipeline)
                .query(Boolean.class)
                .single();
    }
}
