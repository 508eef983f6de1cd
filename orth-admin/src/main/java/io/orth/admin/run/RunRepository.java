package io.orth.admin.run;

import io.orth.admin.job.Execution;
import io.orth.admin.job.Routing;
import io.orth.admin.kernel.Fence;
import io.orth.admin.kernel.MovedRow;
import io.orth.admin.kernel.RunIdGenerator;
import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.SqlRows;
import io.orth.admin.run.Route.Shard;
import io.orth.protocol.StateTransition.Work;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.SqlValue;

/**
 * SQL that writes and reads runs individually or in bulk. {@link RunQuery} has the lists for people.
 *
 * <p>The number of rows in {@code orth_run} varies widely: after a vacuum of an empty table, the planner assumes that it stays empty, and
 * a full scan for each row of a list looks cheap. Lists are therefore joined by {@code id = any(array[w.id])}, which equals
 * {@code id = w.id} but can only be an index lookup for each element, in list order. For the same reason runs of a job or a parent are
 * ordered by {@code id + 0}, which no index supports.
 */
final class RunRepository {

    static final String COLUMNS =
            """
            id, job_id, job_name, group_id, handler, param, trigger_type, schedule_time, created_at, status, cause,
            trigger_code, trigger_msg, handle_code, handle_msg, dispatch, executor_id, address, triggered_at, finished_at,
            trace_id, block_strategy, block_scope, concurrency, timeout_seconds, glue_type, source_version, kill_requested_at,
            kill_requested_by, kill_reason,
            """ + Route.NAMES + ", " + Lineage.COLUMNS + ", " + LateResult.COLUMNS + ", alarm_status, awaits_turn\n";

    /** Template for all inserts. Existing runs are skipped; the placeholders define what counts as existing. */
    private static final String INSERT = """
            insert into orth_run (id, job_id, job_name, group_id, handler, param, trigger_type, schedule_time, created_at,
                                  status, seq, status_at, cause, trigger_code, handle_code, claim_until, trace_id,
                                  block_strategy, block_scope, concurrency, timeout_seconds, glue_type, source_version,
                                  route_strategy, addresses, turn, shard_index, shard_total, shard_address, parent_run,
                                  fire_id, awaits_turn, root_run)
            select r.id, r.job_id, r.job_name, r.group_id, r.handler, r.param, r.trigger_type, r.schedule_time, now(),
                   'INIT', 1, now(), 'CREATED', 0, 0, now() + make_interval(secs => :claim), r.trace_id,
                   r.block_strategy, r.block_scope, r.concurrency, r.timeout_seconds, r.glue_type, r.source_version,
                   r.route_strategy, r.addresses, r.turn, r.shard_index, r.shard_total, r.shard_address, r.parent_run,
                   r.fire_id, r.awaits_turn,
                   case when r.parent_run is not null
                        then (select coalesce(p.root_run, p.id) from orth_run_history p where p.id = r.parent_run) end
              from unnest(:ids, :jobs, :names, :groups, :handlers, :params, :types, :times, :traces,
                          :blocks, :scopes, :concurrencies, :timeouts, :glues, :sources, :strategies, :addresses, :turns,
                          :shards, :totals, :shardAddresses, :parents, :fires, :waits)
                as r(id, job_id, job_name, group_id, handler, param, trigger_type, schedule_time, trace_id,
                     block_strategy, block_scope, concurrency, timeout_seconds, glue_type, source_version, route_strategy,
                     addresses, turn, shard_index, shard_total, shard_address, parent_run, fire_id, awaits_turn)
             where r.trigger_type not in ('SCHEDULE', 'MISFIRE', 'BACKFILL')
                or not (exists (select from orth_run o where %2$s offset 0)
                        or exists (select from orth_run_history o where o.id >= :lowest and %2$s offset 0))
            on conflict %1$s do nothing
            returning id, created_at
            """;

    /** {@code offset 0} in the statement keeps this a subquery per new run, instead of one join with all existing runs. */
    private static final String SAME_INSTANT = """
            o.job_id = r.job_id
                and o.schedule_time = r.schedule_time
                and o.trigger_type in ('SCHEDULE', 'MISFIRE', 'BACKFILL')
                and (o.shard_index = r.shard_index or o.shard_total <> r.shard_total)""";

    private static final String INSERT_FIRST = INSERT.formatted(
            "(job_id, schedule_time, shard_index) where trigger_type in ('SCHEDULE', 'MISFIRE', 'BACKFILL')",
            SAME_INSTANT);

    private static final String INSERT_CHILDREN =
            INSERT.formatted("(parent_run, job_id, shard_index) where parent_run is not null", SAME_INSTANT);

    private static final String INTEND = """
            update orth_run r
               set executor_id = w.executor_id, address = w.address, dispatch = w.dispatch + 1, triggered_at = now(),
                   trigger_msg = w.message, claim_until = now() + make_interval(secs => :claim)
              from unnest(:ids, :executors, :addresses, :dispatches, :messages)
                as w(id, executor_id, address, dispatch, message)
             where r.id = any(array[w.id])
               and r.status = 'INIT'
               and r.dispatch = w.dispatch
               and r.kill_requested_at is null
               and not r.awaits_turn
            returning r.id
            """;

    /** Oldest first. Walks the unfinished runs by id, which is cheap if many are stale. */
    private static final String CLAIM_UNSENT = """
            with stale as (
                select id
                  from orth_run
                 where status = 'INIT'
                   and claim_until < now()
                   and kill_requested_at is null
                   and (not_before is null or not_before <= now())
                   and not awaits_turn
                 order by id
                 limit :limit
                   for update skip locked
            )
            update orth_run
               set claim_until = now() + make_interval(secs => :claim)
             where id = any(array(select id from stale))
               and status = 'INIT'
            returning
            """ + COLUMNS;

    private static final String SHORTEN_CLAIM = RunKills.LOCKED + """
            update orth_run
               set claim_until = least(claim_until, now() + make_interval(secs => :claim))
             where id = any(array(select id from locked))
               and status = 'INIT'
            """;

    private static final String BUSY = """
            select distinct job_id, executor_id
              from orth_run
             where job_id = any(:jobs)
               and status in ('INIT', 'PENDING')
               and executor_id is not null
            """;

    /** An executor without a row is dead. {@link ForeignLosses} handles runs of XXL-JOB executors. */
    static final LostRuns.Which OF_GONE_EXECUTORS = LostRuns.Which.of("""

              from orth_run r
              left join orth_executor e on e.id = r.executor_id
             where r.status = 'PENDING'
               and (e.id is null or e.kind = 'ORTH')
               and orth_work_is_lost(e.status, e.status_at, :grace)
            """);

    /** The literal {@code 'LOST'} makes the partial index applicable. */
    private static final String REVOKED = """
            select id
              from orth_run_history
             where executor_id = :executor
               and cause = 'LOST'
               and late_at is null
               and finished_at > now() - make_interval(secs => :window)
             order by finished_at desc
             limit :limit
            """;

    static final RowMapper<Run> TO_RUN = (row, n) -> new Run(
            row.getLong("id"),
            row.getInt("job_id"),
            row.getString("job_name"),
            row.getInt("group_id"),
            row.getString("handler"),
            row.getString("param"),
            TriggerType.valueOf(row.getString("trigger_type")),
            SqlRows.instant(row, "schedule_time"),
            SqlRows.instant(row, "created_at"),
            RunStatus.valueOf(row.getString("status")),
            RunCause.valueOf(row.getString("cause")),
            row.getInt("trigger_code"),
            row.getString("trigger_msg"),
            row.getInt("handle_code"),
            row.getString("handle_msg"),
            row.getInt("dispatch"),
            SqlRows.longOrNull(row, "executor_id"),
            row.getString("address"),
            SqlRows.instant(row, "triggered_at"),
            SqlRows.instant(row, "finished_at"),
            row.getString("trace_id"),
            Execution.read(row),
            SqlRows.intOrNull(row, "source_version"),
            RunKills.read(row),
            Route.read(row),
            Lineage.read(row),
            LateResult.read(row),
            RunAlarm.of(row.getInt("alarm_status")),
            row.getBoolean("awaits_turn"));

    /**
     * An awaited run that will not be reported.
     *
     * @param fence claim under which the run was when this was found
     * @param kill null unless a kill was requested
     */
    record Gone(long id, Fence fence, Run.Kill kill) {

        static final String COLUMNS =
                "r.id, r.executor_id, r.dispatch, r.kill_requested_at, r.kill_requested_by, r.kill_reason";

        static Gone read(ResultSet row, int number) throws SQLException {
            Fence fence = new Fence(SqlRows.longOrNull(row, "executor_id"), row.getInt("dispatch"));
            return new Gone(row.getLong("id"), fence, RunKills.read(row));
        }
    }

    private final JdbcClient jdbc;

    RunRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Returns the inserted runs; a fire time that already has its run is skipped. */
    List<Run> insert(List<NewRun> runs, long[] ids, Duration claim) {
        return insert(INSERT_FIRST, runs, Collections.nCopies(runs.size(), null), ids, claim);
    }

    /** Returns the inserted runs; children that the parent has already fired are skipped. */
    List<Run> insertChildren(List<NewChild> children, long[] ids, Duration claim) {
        return insert(
                INSERT_CHILDREN,
                children.stream().map(NewChild::run).toList(),
                children.stream().map(NewChild::parent).toList(),
                ids,
                claim);
    }

    private List<Run> insert(String statement, List<NewRun> runs, List<Long> parents, long[] ids, Duration claim) {
        List<Execution> executions = runs.stream().map(NewRun::execution).toList();
        List<Route> routes = runs.stream().map(NewRun::route).toList();
        List<Shard> shards = routes.stream().map(Route::shard).toList();
        return jdbc.sql(statement)
                .param("lowest", lowestId(runs, ids))
                .param("parents", SqlArrays.bigints(parents, parent -> parent))
                .param("claim", seconds(claim))
                .param("ids", idArray(ids))
                .param("jobs", SqlArrays.integers(runs, NewRun::jobId))
                .param("names", SqlArrays.texts(runs, NewRun::jobName))
                .param("groups", SqlArrays.integers(runs, NewRun::groupId))
                .param("handlers", SqlArrays.texts(runs, NewRun::handler))
                .param("params", SqlArrays.texts(runs, NewRun::param))
                .param("types", SqlArrays.texts(runs, run -> run.type().name()))
                .param("times", SqlArrays.instants(runs, NewRun::scheduleTime))
                .param("traces", SqlArrays.texts(runs, NewRun::traceId))
                .param(
                        "blocks",
                        SqlArrays.texts(executions, each -> each.block().name()))
                .param(
                        "scopes",
                        SqlArrays.texts(executions, each -> each.scope().name()))
                .param("fires", SqlArrays.bigints(fires(runs, ids), id -> id))
                .param("waits", SqlArrays.booleans(executions, Execution::takesTurns))
                .param("concurrencies", SqlArrays.integers(executions, Execution::concurrency))
                .param("timeouts", SqlArrays.integers(executions, Execution::timeoutSeconds))
                .param("glues", SqlArrays.texts(executions, each -> each.glue().name()))
                .param("sources", SqlArrays.integers(runs, NewRun::sourceVersion))
                .param(
                        "strategies",
                        SqlArrays.texts(routes, route -> route.strategy().name()))
                .param("addresses", SqlArrays.texts(routes, route -> Routing.joined(route.addresses())))
                .param("turns", SqlArrays.bigints(routes, Route::turn))
                .param("shards", SqlArrays.integers(shards, Shard::index))
                .param("totals", SqlArrays.integers(shards, Shard::total))
                .param("shardAddresses", SqlArrays.texts(shards, Shard::address))
                .query((row, n) -> {
                    int index = Arrays.binarySearch(ids, row.getLong("id"));
                    return Run.unsent(
                            ids[index], runs.get(index), parents.get(index), SqlRows.instant(row, "created_at"));
                })
                .list();
    }

    static SqlValue idArray(long[] ids) {
        return SqlArrays.bigints(Arrays.stream(ids).boxed().toList(), id -> id);
    }

    /** Returns the fire id of each run, which is the id of the fire's first run. Shards of a broadcast are consecutive and share it. */
    private static List<Long> fires(List<NewRun> runs, long[] ids) {
        List<Long> fires = new ArrayList<>();
        for (int i = 0; i < ids.length; i++) {
            fires.add(i > 0 && isNextShard(runs.get(i - 1), runs.get(i)) ? fires.get(i - 1) : Long.valueOf(ids[i]));
        }
        return fires;
    }

    private static boolean isNextShard(NewRun before, NewRun run) {
        return run.jobId() == before.jobId()
                && run.route().shard().index() == before.route().shard().index() + 1;
    }

    /** Returns a lower bound for ids of runs with these fire times; clocks never differ by more than the day that is subtracted. */
    private static long lowestId(List<NewRun> runs, long[] ids) {
        long atFirst = runs.stream()
                .map(NewRun::scheduleTime)
                .filter(Objects::nonNull)
                .mapToLong(RunIdGenerator::lowestIdAt)
                .min()
                .orElse(Long.MAX_VALUE);
        return RunIdGenerator.earlier(Math.min(atFirst, ids[0]), Duration.ofDays(1));
    }

    /**
     * Records dispatch intents. Returns the ids of runs that were undispatched at the expected dispatch number; they now belong to their
     * executor.
     */
    List<Long> intend(Collection<SendIntent> wanted, Duration claim) {
        List<SendIntent> intents = wanted.stream()
                .sorted(Comparator.comparingLong(SendIntent::runId))
                .toList();
        return jdbc.sql(INTEND)
                .param("claim", seconds(claim))
                .param("ids", SqlArrays.bigints(intents, SendIntent::runId))
                .param("executors", SqlArrays.bigints(intents, SendIntent::executorId))
                .param("addresses", SqlArrays.texts(intents, SendIntent::address))
                .param("dispatches", SqlArrays.integers(intents, SendIntent::dispatch))
                .param("messages", SqlArrays.texts(intents, intent -> RunMove.storable(intent.message())))
                .query(Long.class)
                .list();
    }

    /** Claims undispatched runs whose claim has expired, whichever node held it. */
    List<Run> claimUnsent(int limit, Duration claim) {
        return jdbc.sql(CLAIM_UNSENT)
                .param("limit", limit)
                .param("claim", seconds(claim))
                .query(TO_RUN)
                .list();
    }

    void shortenClaim(Collection<Long> ids, Duration claim) {
        jdbc.sql(SHORTEN_CLAIM)
                .param("ids", SqlArrays.bigints(ids, id -> id))
                .param("claim", seconds(claim))
                .update();
    }

    /** Returns the executors that have unfinished runs of these jobs, or are about to get them. */
    Set<BusyAt> busy(Collection<Integer> jobs) {
        return Set.copyOf(jdbc.sql(BUSY)
                .param("jobs", SqlArrays.integers(jobs, id -> id))
                .query((row, n) -> new BusyAt(row.getInt("job_id"), row.getLong("executor_id")))
                .list());
    }

    List<Run> list(Collection<Long> ids) {
        return jdbc.sql("select " + COLUMNS + " from orth_run_all where id = any(:ids) order by id")
                .param("ids", SqlArrays.bigints(ids, id -> id))
                .query(TO_RUN)
                .list();
    }

    /** Returns the runs this executor may still have that were declared lost within {@code window}, latest first. */
    List<Long> revoked(long executor, Duration window, int limit) {
        return jdbc.sql(REVOKED)
                .param("executor", executor)
                .param("window", seconds(window))
                .param("limit", limit)
                .query(Long.class)
                .list();
    }

    Optional<Run> find(long id) {
        return jdbc.sql("select " + COLUMNS + " from orth_run_all where id = :id")
                .param("id", id)
                .query(TO_RUN)
                .optional();
    }

    static double seconds(Duration duration) {
        return duration.toMillis() / 1000.0;
    }

    /** Returns the rows with the creation time assigned by the database; all rows of an insert share its transaction's time. */
    static List<MovedRow> created(List<Run> runs) {
        return runs.stream()
                .map(run -> new MovedRow(
                        run.id(), 1, null, run.createdAt(), run.jobId(), null, run.traceId(), workOf(run), null))
                .toList();
    }

    /** Returns null if other runs led to this one: the root run is known to the database only. */
    private static Work workOf(Run run) {
        return run.lineage().equals(Lineage.FIRST)
                ? new Work(run.jobId(), run.jobName(), run.handler(), run.groupId(), run.scheduleTime(), run.id())
                : null;
    }
}
