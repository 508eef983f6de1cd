package io.orth.admin.job;

import io.orth.admin.kernel.RetryPolicy;
import io.orth.admin.kernel.SqlRows;
import io.orth.protocol.GlueType;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;

/** SQL of job definitions. */
final class JobRepository {

    private static final String SELECT = """
            select j.id, j.name, j.group_id, g.name as group_name, j.handler, j.param, j.schedule_type, j.cron, j.zone,
                   j.interval_ms, j.fire_at, j.starts_at, j.ends_at, j.misfire, j.enabled, j.stop_reason, j.next_fire_at,
                   j.version, j.created_at, j.updated_at, j.block_strategy, j.block_scope, j.concurrency, j.timeout_seconds, j.glue_type,
                   j.source_version, j.max_attempts, j.backoff_initial_ms, j.backoff_multiplier, j.backoff_max_ms,
                   j.backoff_jitter, j.route_strategy, j.addresses,
                   array(select c.child_id from orth_job_child c where c.job_id = j.id order by c.position) as child_ids,
                   array(select c.pass from orth_job_child c where c.job_id = j.id order by c.position) as child_passes,
                   array(select c.param from orth_job_child c where c.job_id = j.id order by c.position) as child_params
              from orth_job j
              join orth_executor_group g on g.id = j.group_id
            """;

    private static final String FIND = SELECT + " where j.id = :id";

    private static final String LIST = SELECT + """
             where j.id > :after
               and (:group::integer is null or j.group_id = :group)
               and (:enabled::boolean is null or j.enabled = :enabled)
               and (:text::text is null or position(lower(:text) in lower(j.name)) > 0
                    or position(lower(:text) in lower(j.handler)) > 0)
             order by j.id
             limit :limit
            """;

    private static final String INSERT = """
            insert into orth_job (name, group_id, handler, param, schedule_type, cron, zone, interval_ms, fire_at,
                                  starts_at, ends_at, misfire, enabled, next_fire_at, block_strategy, block_scope, concurrency,
                                  timeout_seconds, glue_type, source_version, max_attempts, backoff_initial_ms,
                                  backoff_multiplier, backoff_max_ms, backoff_jitter, route_strategy, addresses, seq)
            values (:name, :group, :handler, :param, :type, :cron, :zone, :interval, :at, :start, :end, :misfire, :enabled,
                    :next, :block, :scope, :concurrency, :timeout, :glue, :source, :maxAttempts, :initialDelay, :multiplier,
                    :maxDelay, :jitter, :strategy, :addresses, 1)
            returning id
            """;

    /** An unchanged schedule keeps its next fire time and the awaited run, so that an edit of the name does not shift a fixed rate. */
    private static final String UPDATE = """
            update orth_job
               set name = :name, group_id = :group, handler = :handler, param = :param, schedule_type = :type, cron = :cron,
                   zone = :zone, interval_ms = :interval, fire_at = :at, starts_at = :start, ends_at = :end,
                   misfire = :misfire,
                   next_fire_at = case when awaited_run is not null and not :replaced then null
                                       when :reschedule or not :enabled then :next else next_fire_at end,
                   awaited_run = case when not :replaced then awaited_run end,
                   caught_up = case when :reschedule then 0 else caught_up end,
                   block_strategy = :block, block_scope = :scope, concurrency = :concurrency, timeout_seconds = :timeout, glue_type = :glue,
                   source_version = :source, max_attempts = :maxAttempts, backoff_initial_ms = :initialDelay,
                   backoff_multiplier = :multiplier, backoff_max_ms = :maxDelay, backoff_jitter = :jitter,
                   route_strategy = :strategy, addresses = :addresses,
                   stop_reason = null, version = version + 1, updated_at = now()
             where id = :id
               and version = :version
            """;

    private static final String SET_SOURCE = """
            update orth_job
               set glue_type = :glue, source_version = :source, version = version + 1, updated_at = now()
             where id = :id
               and version = :version
            """;

    private static final String SET_NEXT = """
            update orth_job
               set next_fire_at = case when awaited_run is null then :next::timestamptz end, caught_up = 0,
                   stop_reason = null, version = version + 1, updated_at = now()
             where id = :id
               and version = :version
            """;

    private static final RowMapper<Job> TO_JOB = (row, n) -> new Job(
            row.getInt("id"),
            new JobSpec(
                    row.getString("name"),
                    row.getInt("group_id"),
                    row.getString("handler"),
                    row.getString("param"),
                    ScheduleColumns.read(row).toScheduleOrUnreadable(),
                    MisfirePolicy.valueOf(row.getString("misfire")),
                    Execution.read(row),
                    Routing.read(row),
                    after(row)),
            row.getString("group_name"),
            row.getBoolean("enabled"),
            row.getString("stop_reason"),
            SqlRows.instant(row, "next_fire_at"),
            row.getInt("version"),
            SqlRows.intOrNull(row, "source_version"),
            SqlRows.instant(row, "created_at"),
            SqlRows.instant(row, "updated_at"));

    private static AfterRun after(ResultSet row) throws SQLException {
        RetryPolicy retry = new RetryPolicy(row.getInt("max_attempts"), SqlRows.backoff(row));
        Integer[] ids = (Integer[]) row.getArray("child_ids").getArray();
        String[] passes = (String[]) row.getArray("child_passes").getArray();
        String[] params = (String[]) row.getArray("child_params").getArray();
        List<ChildJob> children = IntStream.range(0, ids.length)
                .mapToObj(i -> new ChildJob(ids[i], ChildJob.Pass.valueOf(passes[i]), params[i]))
                .toList();
        return new AfterRun(retry, children);
    }

    private final JdbcClient jdbc;

    JobRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    Optional<Job> find(int id) {
        return jdbc.sql(FIND).param("id", id).query(TO_JOB).optional();
    }

    Optional<Job> findByName(int groupId, String name) {
        return jdbc.sql(SELECT + " where j.group_id = :group and j.name = :name")
                .params(Map.of("group", groupId, "name", name))
                .query(TO_JOB)
                .optional();
    }

    /** Locks the row until the transaction ends. */
    Optional<Job> lock(int id) {
        return jdbc.sql(FIND + " for update of j").param("id", id).query(TO_JOB).optional();
    }

    List<Job> list(JobFilter filter) {
        return jdbc.sql(LIST)
                .params(Map.of("after", filter.after(), "limit", filter.limit()))
                .param("group", filter.groupId())
                .param("enabled", filter.enabled())
                .param("text", filter.text())
                .query(TO_JOB)
                .list();
    }

    int insert(JobSpec spec, Integer source, boolean enabled, Instant next) {
        return bind(jdbc.sql(INSERT), spec)
                .param("source", source)
                .param("enabled", enabled)
                .param("next", SqlRows.timestamp(next))
                .query(Integer.class)
                .single();
    }

    boolean update(Job before, JobSpec spec, Integer source, boolean enabled, boolean reschedule, Instant next) {
        return bind(jdbc.sql(UPDATE), spec)
                        .param("source", source)
                        .param("id", before.id())
                        .param("version", before.version())
                        .param("enabled", enabled)
                        .param("reschedule", reschedule)
                        .param("replaced", !spec.schedule().equals(before.spec().schedule()))
                        .param("next", SqlRows.timestamp(next), java.sql.Types.TIMESTAMP_WITH_TIMEZONE)
                        .update()
                == 1;
    }

    boolean setSource(Job before, GlueType type, int source) {
        return jdbc.sql(SET_SOURCE)
                        .params(Map.of("id", before.id(), "version", before.version(), "glue", type.name()))
                        .param("source", source)
                        .update()
                == 1;
    }

    boolean setNext(Job before, Instant next) {
        return jdbc.sql(SET_NEXT)
                        .params(Map.of("id", before.id(), "version", before.version()))
                        .param("next", SqlRows.timestamp(next), java.sql.Types.TIMESTAMP_WITH_TIMEZONE)
                        .update()
                == 1;
    }

    private static StatementSpec bind(StatementSpec statement, JobSpec spec) {
        return SqlRows.bind(
                        ScheduleColumns.of(spec.schedule()).bind(statement),
                        spec.after().retry())
                .param("name", spec.name())
                .param("group", spec.groupId())
                .param("handler", spec.handler())
                .param("param", spec.param())
                .param("misfire", spec.misfire().name())
                .param("block", spec.execution().block().name())
                .param("scope", spec.execution().scope().name())
                .param("concurrency", spec.execution().concurrency())
                .param("timeout", spec.execution().timeoutSeconds())
                .param("glue", spec.execution().glue().name())
                .param("strategy", spec.routing().strategy().name())
                .param("addresses", Routing.joined(spec.routing().addresses()));
    }
}
