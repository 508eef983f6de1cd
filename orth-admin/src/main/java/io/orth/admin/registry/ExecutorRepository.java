package io.orth.admin.registry;

import io.orth.admin.kernel.MovedRow;
import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.SqlRows;
import io.orth.admin.kernel.StatusTable;
import io.orth.protocol.Registration;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;

/** SQL of executor instances. */
final class ExecutorRepository {

    private static final String BEAT = """
            update orth_executor
               set last_beat_at = now(), heartbeat_timeout_ms = :timeout, address = :address,
                   leftovers_delivered = :leftoversDelivered,
                   draining = :draining, cpu = :cpu, rss_mb = :rss, heap_used_mb = :heapUsed,
                   heap_total_mb = :heapTotal, running = :running, queued = :queued, leaked_threads = :leakedThreads,
                   process_cpu = :processCpu
             where instance_id = :instance
               and group_id = :group
            returning id, status, seq
            """;

    private static final String INSERT = """
            insert into orth_executor (instance_id, group_id, address, kind, host, pid, version, zone, status, seq, status_at,
                                       heartbeat_timeout_ms, leftovers_delivered, draining, cpu, rss_mb, heap_used_mb, heap_total_mb,
                                       running, queued, leaked_threads, process_cpu)
            values (:instance, :group, :address, :kind, :host, :pid, :version, :zone, 'ONLINE', 1, now(), :timeout, :leftoversDelivered,
                    :draining, :cpu, :rss, :heapUsed, :heapTotal, :running, :queued, :leakedThreads, :processCpu)
            on conflict (instance_id) do nothing
            returning id, seq, status_at
            """;

    private static final StatusTable<ExecutorMove> MOVES = StatusTable.<ExecutorMove>of("orth_executor")
            .column("seen_at", moves -> SqlArrays.instants(moves, ExecutorMove::lastBeatAt))
            .onlyIf("w.seen_at is null or t.last_beat_at = w.seen_at")
            .facts("null::integer", "t.id", "null::text")
            .update();

    /**
     * Older online instances at the same address that a new instance replaces. Unless the new instance has delivered their leftovers, they
     * count as running until the grace period has passed and the reply to their last heartbeat no longer allows them to start work.
     */
    private static final String PREDECESSORS = """
            select id
              from orth_executor
             where group_id = :group
               and address = :address
               and status = 'ONLINE'
               and id < (select id from orth_executor where instance_id = :instance)
               and (:leftoversDelivered
                    or last_beat_at
                       < now() - greatest(make_interval(secs => :grace),
                                          make_interval(secs => heartbeat_timeout_ms / 1000.0)))
            """;

    private static final String TARGETS = """
            select e.id, e.instance_id, e.group_id, e.address, e.last_beat_at, g.token, e.status = 'ONLINE' as online,
                   e.kind
              from orth_executor e
              join orth_executor_group g on g.id = e.group_id
            """;

    private static final String ONLINE = TARGETS + """
             where e.group_id = any(:groups)
               and e.status = 'ONLINE'
               and not e.draining
             order by e.group_id, e.address, e.id
            """;

    /** Orth executors only: XXL-JOB executors register too rarely for this. */
    private static final String QUIET = """
            select id
              from orth_executor
             where group_id = any(:groups)
               and status = 'ONLINE'
               and kind = 'ORTH'
               and last_beat_at < now() - make_interval(secs => :silence)
            """;

    private static final String SILENT = TARGETS + """
             where e.status = 'ONLINE'
               and e.kind = :kind
               and e.last_beat_at < now() - make_interval(secs => :silence)
               and (:anyPromise or e.last_beat_at < now() - make_interval(secs => e.heartbeat_timeout_ms / 1000.0))
               and e.id > :after
             order by e.id
             limit :limit
            """;

    private static final String PRESENCE = """
            select now() as at,
                   count(*) as online,
                   count(*) filter (where last_beat_at < now() - make_interval(secs => :missing)) as missing,
                   count(*) filter (where last_beat_at < now() - make_interval(secs => :silence)) as silent
              from orth_executor
             where status = 'ONLINE'
               and kind = :kind
            """;

    private static final String DECLARED_DEAD = """
            select count(*)
              from orth_executor
             where status = 'DEAD'
               and kind = :kind
               and status_at >= :since
            """;

    private static final String EXECUTORS = """
            select e.id, e.instance_id, e.group_id, g.name, e.address, e.kind, e.status, e.host, e.pid, e.version,
                   e.registered_at, e.last_beat_at, e.draining, e.cpu, e.rss_mb, e.heap_used_mb, e.heap_total_mb,
                   e.running, e.queued, e.leaked_threads, e.process_cpu,
                   case when e.status = 'ONLINE' and e.unreachable_at > now() - interval '30 seconds'
                        then e.unreachable_at end as unreachable_at
              from orth_executor e
              join orth_executor_group g on g.id = e.group_id
            """;

    private static final String LIST = EXECUTORS + """
             where (:group::integer is null or e.group_id = :group)
               and e.id < :before
               and (:gone::float8 is null or e.status = 'ONLINE' or e.status_at > now() - make_interval(secs => :gone))
             order by e.id desc
             limit :limit
            """;

    private static final String ONLINE_WITH_METRICS = EXECUTORS + """
             where e.status = 'ONLINE'
               and e.cpu is not null
             order by e.id desc
             limit :limit
            """;

    /** Repeated by an admin while it cannot reach these executors. If that admin dies, readers ignore the mark after 30 s. */
    private static final String MARK_UNREACHABLE = """
            with locked as (
                select id from orth_executor where id = any(:ids) order by id for update
            )
            update orth_executor
               set unreachable_at = case when :unreachable then now() end
             where id = any(array(select id from locked))
            """;

    private static final String PRUNE = """
            delete from orth_executor
             where id in (select e.id
                            from orth_executor e
                           where orth_is_gone(e.status)
                             and e.status_at < now() - make_interval(secs => :age)
                             and not exists (select from orth_run r where r.executor_id = e.id and r.status = 'PENDING')
                           limit :limit)
            """;

    /** Result of a heartbeat's update. {@code sequence} is that of the latest state transition. */
    record Known(long id, ExecutorStatus status, long sequence) {}

    /** Executor that has sent no heartbeat for a while, with the time of the last one. */
    record Silent(Target target, Instant lastBeatAt) {}

    /** Number of executors that are online, that miss heartbeats, and that have been silent for long enough to be dead. */
    record Presence(Instant at, int online, int missing, int silent) {}

    private final JdbcClient jdbc;

    ExecutorRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Records a heartbeat. Returns empty if this instance has never registered under this group. */
    Optional<Known> beat(int group, String address, Registration.Instance instance, Duration timeout) {
        return said(jdbc.sql(BEAT), group, address, instance, timeout)
                .query((row, n) -> known(row))
                .optional();
    }

    /** Inserts an instance. Returns empty if the instance exists, because another transaction inserted it first. */
    Optional<MovedRow> insert(
            int group, String address, Registration.Instance instance, ExecutorKind kind, Duration timeout) {
        return said(jdbc.sql(INSERT), group, address, instance, timeout)
                .param("kind", kind.name())
                .param("host", instance.host())
                .param("pid", instance.pid())
                .param("version", instance.version())
                .param("zone", instance.zone())
                .query((row, n) -> {
                    long id = row.getLong("id");
                    return new MovedRow(id, row.getInt("seq"), null, SqlRows.instant(row, "status_at"), null, id, null);
                })
                .optional();
    }

    /** Sets the values that an executor reports with every heartbeat, and for how long the reply allows it to start work. */
    private static StatementSpec said(
            StatementSpec statement, int group, String address, Registration.Instance instance, Duration timeout) {
        return Metrics.set(statement, instance.metrics())
                .param("instance", instance.id())
                .param("group", group)
                .param("address", address)
                .param("leftoversDelivered", instance.leftoversDelivered())
                .param("draining", instance.draining())
                .param("timeout", timeout.toMillis());
    }

    /** Marks an executor as draining until its next heartbeat, which reports the current value. */
    void markDraining(long id) {
        jdbc.sql("update orth_executor set draining = true where id = :id")
                .param("id", id)
                .update();
    }

    void markUnreachable(Collection<Long> ids, boolean unreachable) {
        jdbc.sql(MARK_UNREACHABLE)
                .params(Map.of("ids", SqlArrays.bigints(ids, id -> id), "unreachable", unreachable))
                .update();
    }

    List<MovedRow> move(List<ExecutorMove> moves) {
        return MOVES.move(jdbc, moves);
    }

    Optional<Known> find(int group, String instanceId) {
        return jdbc.sql("select id, status, seq from orth_executor where group_id = :group and instance_id = :instance")
                .params(Map.of("group", group, "instance", instanceId))
                .query((row, n) -> known(row))
                .optional();
    }

    private static Known known(ResultSet row) throws SQLException {
        return new Known(row.getLong("id"), ExecutorStatus.valueOf(row.getString("status")), row.getLong("seq"));
    }

    /** Returns the time zone of the executor's logs; empty if the executor did not report one. */
    Optional<String> zone(long id) {
        return jdbc.sql("select zone from orth_executor where id = :id and zone is not null")
                .param("id", id)
                .query(String.class)
                .optional();
    }

    List<Long> predecessors(int group, String address, Registration.Instance instance, Duration grace) {
        return jdbc.sql(PREDECESSORS)
                .param("group", group)
                .param("address", address)
                .param("instance", instance.id())
                .param("leftoversDelivered", instance.leftoversDelivered())
                .param("grace", seconds(grace))
                .query(Long.class)
                .list();
    }

    List<Target> online(Collection<Integer> groups) {
        return jdbc.sql(ONLINE)
                .param("groups", SqlArrays.integers(groups, g -> g))
                .query((row, n) -> target(row))
                .list();
    }

    List<Long> quiet(Collection<Integer> groups, Duration silence) {
        return jdbc.sql(QUIET)
                .params(Map.of("groups", SqlArrays.integers(groups, g -> g), "silence", seconds(silence)))
                .query(Long.class)
                .list();
    }

    List<Target> targets(Collection<Long> ids) {
        return jdbc.sql(TARGETS + " where e.id = any(:ids)")
                .param("ids", SqlArrays.bigints(ids, id -> id))
                .query((row, n) -> target(row))
                .list();
    }

    Optional<Target> target(String instanceId) {
        return jdbc.sql(TARGETS + " where e.instance_id = :instance")
                .param("instance", instanceId)
                .query((row, n) -> target(row))
                .optional();
    }

    Optional<Executor> get(String instanceId) {
        return jdbc.sql(EXECUTORS + " where e.instance_id = :instance")
                .param("instance", instanceId)
                .query((row, n) -> executor(row))
                .optional();
    }

    /** @param anyPromise whether to include executors that the reply to their last heartbeat still allows to start work */
    List<Silent> silent(ExecutorKind kind, Duration silence, boolean anyPromise, long after, int limit) {
        return jdbc.sql(SILENT)
                .param("kind", kind.name())
                .param("anyPromise", anyPromise)
                .param("silence", seconds(silence))
                .param("after", after)
                .param("limit", limit)
                .query((row, n) -> new Silent(target(row), SqlRows.instant(row, "last_beat_at")))
                .list();
    }

    Presence presence(ExecutorKind kind, Duration silence, Duration missing) {
        return jdbc.sql(PRESENCE)
                .params(Map.of("kind", kind.name(), "silence", seconds(silence), "missing", seconds(missing)))
                .query(Presence.class)
                .single();
    }

    int declaredDead(ExecutorKind kind, Instant since) {
        return jdbc.sql(DECLARED_DEAD)
                .params(Map.of("kind", kind.name(), "since", SqlRows.timestamp(since)))
                .query(Integer.class)
                .single();
    }

    /** Lists executors, excluding those that have been offline or dead for longer than {@code gone}; null includes all. */
    List<Executor> list(Integer group, Duration gone, long before, int limit) {
        return jdbc.sql(LIST)
                .params(Map.of("before", before, "limit", limit))
                .param("group", group)
                .param("gone", gone == null ? null : seconds(gone))
                .query((row, n) -> executor(row))
                .list();
    }

    /** Returns the newest online executors that report metrics. */
    List<Executor> onlineWithMetrics(int limit) {
        return jdbc.sql(ONLINE_WITH_METRICS)
                .param("limit", limit)
                .query((row, n) -> executor(row))
                .list();
    }

    private static Executor executor(ResultSet row) throws SQLException {
        return new Executor(
                row.getLong("id"),
                row.getString("instance_id"),
                row.getInt("group_id"),
                row.getString("name"),
                row.getString("address"),
                ExecutorKind.valueOf(row.getString("kind")),
                ExecutorStatus.valueOf(row.getString("status")),
                row.getString("host"),
                row.getLong("pid"),
                row.getString("version"),
                SqlRows.instant(row, "registered_at"),
                SqlRows.instant(row, "last_beat_at"),
                row.getBoolean("draining"),
                SqlRows.instant(row, "unreachable_at"),
                Metrics.of(row));
    }

    int prune(Duration age, int limit) {
        return jdbc.sql(PRUNE)
                .params(Map.of("age", seconds(age), "limit", limit))
                .update();
    }

    private static Target target(ResultSet row) throws SQLException {
        return new Target(
                row.getLong("id"),
                row.getString("instance_id"),
                row.getInt("group_id"),
                row.getString("address"),
                row.getString("token"),
                row.getBoolean("online"),
                ExecutorKind.valueOf(row.getString("kind")));
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / 1000.0;
    }
}
