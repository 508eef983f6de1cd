package io.orth.admin.pipeline;

import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.SqlRows;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;

/** SQL of what the reconciler does to a run as a whole. Callers own the transaction and have the run's row. */
final class RootRepository {

    /** Not in the way of those who work on its tasks, but of other reconcilers. */
    private static final String CLAIM_DUE = """
            select id
              from orth_pipeline_run
             where not settled
               and look_at <= clock_timestamp()
             order by look_at
             limit 1
               for no key update skip locked
            """;

    private static final String CLAIM_ONE =
            "select id from orth_pipeline_run where id = :id and not settled for no key update skip locked";

    private static final String AUDIT_DUE = """
            select audit_at <= clock_timestamp() from orth_pipeline_run where id = :id
            """;

    private static final String FOLD = """
            with gone as (
                delete from orth_pipeline_delta where root_id = :root returning stage, completed, failed, cancelled
            ), sums as (
                select stage, sum(completed) as completed, sum(failed) as failed, sum(cancelled) as cancelled
                  from gone
                 group by stage
            )
            update orth_pipeline_progress p
               set completed = p.completed + s.completed, failed = p.failed + s.failed, cancelled = p.cancelled + s.cancelled
              from sums s
             where p.root_id = :root
               and p.stage = s.stage
            """;

    private static final String COUNT = """
            select stage, count(*) filter (where status = 'COMPLETED') as completed, count(*) filter (where status = 'FAILED') as failed,
                   count(*) filter (where status = 'CANCELLED') as cancelled, count(*) as tasks
              from orth_pipeline_task
             where root_id = :root
               and stage between :from and :to
             group by stage
            """;

    /** One statement, so that what it compares is of one moment. */
    private static final String COUNTERS_DIFFER = """
            select exists(
                select
                  from orth_pipeline_progress p
                  left join (select stage, sum(completed) as completed, sum(failed) as failed, sum(cancelled) as cancelled
                               from orth_pipeline_delta
                              where root_id = :root
                              group by stage) d on d.stage = p.stage
                  left join (select stage, count(*) filter (where status = 'COMPLETED') as completed,
                                    count(*) filter (where status = 'FAILED') as failed,
                                    count(*) filter (where status = 'CANCELLED') as cancelled, count(*) as tasks
                               from orth_pipeline_task
                              where root_id = :root
                              group by stage) t on t.stage = p.stage
                 where p.root_id = :root
                   and (p.completed + coalesce(d.completed, 0) <> coalesce(t.completed, 0)
                        or p.failed + coalesce(d.failed, 0) <> coalesce(t.failed, 0)
                        or p.cancelled + coalesce(d.cancelled, 0) <> coalesce(t.cancelled, 0)
                        or p.expected <> coalesce(t.tasks, 0)))
            """;

    private static final String SET_COUNTERS = """
            update orth_pipeline_progress
               set completed = :completed, failed = :failed, cancelled = :cancelled,
                   expected = case when expected is not null then :tasks end, created = :tasks
             where root_id = :root
               and stage = :stage
            """;

    private static final String LOOKED = """
            update orth_pipeline_run
               set look_at = clock_timestamp() + :look * interval '1 millisecond', settled = :settled,
                   audit_at = case when :audited then clock_timestamp() + :audit * interval '1 millisecond' else audit_at end
             where id = :root
            """;

    private static final String MISSING = """
            select p.stage, count(*) as children
              from orth_pipeline_proposal p
              join orth_pipeline_progress g on g.root_id = p.root_id and g.stage = p.stage and g.expected is not null
             where p.root_id = :root
               and not exists (select
                                 from orth_pipeline_task t
                                where t.root_id = p.root_id
                                  and t.stage = p.stage
                                  and t.target_type = p.target_type
                                  and t.target_id = p.target_id)
             group by p.stage
             order by p.stage
            """;

    /**
     * Pending tasks that have not changed for a while and that nothing will bring to an executor: no message is promised by an entry that
     * is still to be sent, and none is in a queue. Reads the queue's table, as there may be very many to ask about.
     */
    private static final String ORPHANED = """
            select t.id
              from orth_pipeline_task t
             where t.root_id = :root
               and (:ids::bigint[] is null or t.id = any(:ids::bigint[]))
               and t.is_open
               and t.status = 'PENDING'
               and t.status_at < clock_timestamp() - :millis * interval '1 millisecond'
               and not exists (select
                                 from orth_outbox o
                                 left join orth_message m on m.id = o.message_id
                                where o.job_id = t.id
                                  and (o.sent_at is null and o.parked_at is null or m.id is not null))
             limit :limit
            """;

    private static final String OPEN_TASKS = """
            select coalesce(sum(greatest(p.expected - p.completed - p.failed - p.cancelled, 0)), 0)::bigint
              from orth_pipeline_run r
              join orth_pipeline_progress p on p.root_id = r.id
             where not r.settled
               and p.expected is not null
            """;

    /** How many tasks of a stage there are, by what became of them. */
    record Count(long completed, long failed, long cancelled, long tasks) {

        static final Count NONE = new Count(0, 0, 0, 0);

        boolean agreesWith(Progress progress) {
            return completed == progress.completed()
                    && failed == progress.failed()
                    && cancelled == progress.cancelled()
                    && (progress.expected() == null || tasks == progress.expected());
        }
    }

    private final JdbcClient jdbc;

    RootRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    Optional<Long> claimDue() {
        return jdbc.sql(CLAIM_DUE).query(Long.class).optional();
    }

    /** Empty where another has it, or nothing is to be done. */
    Optional<Long> claim(long root) {
        return jdbc.sql(CLAIM_ONE).param("id", root).query(Long.class).optional();
    }

    boolean isAuditDue(long root) {
        return jdbc.sql(AUDIT_DUE).param("id", root).query(Boolean.class).single();
    }

    void auditNow(long root) {
        jdbc.sql("update orth_pipeline_run set audit_at = clock_timestamp() where id = :root")
                .param("root", root)
                .update();
    }

    void fold(long root) {
        jdbc.sql(FOLD).param("root", root).update();
    }

    Map<Integer, Count> count(long root, int from, int to) {
        Map<Integer, Count> counts = new HashMap<>();
        jdbc.sql(COUNT).param("root", root).param("from", from).param("to", to).query(row -> {
            counts.put(
                    row.getInt("stage"),
                    new Count(
                            row.getLong("completed"),
                            row.getLong("failed"),
                            row.getLong("cancelled"),
                            row.getLong("tasks")));
        });
        return counts;
    }

    void setCounters(long root, int stage, Count count) {
        jdbc.sql(SET_COUNTERS)
                .param("root", root)
                .param("stage", stage)
                .param("completed", count.completed())
                .param("failed", count.failed())
                .param("cancelled", count.cancelled())
                .param("tasks", count.tasks())
                .update();
    }

    boolean hasOpenTasks(long root, int stage) {
        return jdbc.sql("""
                        select exists(select
                                        from orth_pipeline_task
                                       where root_id = :root
                                         and stage = :stage
                                         and is_open)
                        """)
                .param("root", root)
                .param("stage", stage)
                .query(Boolean.class)
                .single();
    }

    long fannedOutTo(long root, int stage) {
        return jdbc.sql("select fanned_out_to from orth_pipeline_progress where root_id = :root and stage = :stage")
                .param("root", root)
                .param("stage", stage)
                .query(Long.class)
                .single();
    }

    /** @param created how many tasks were created of the proposals up to {@code to} */
    void fannedOut(long root, int stage, long to, int created) {
        jdbc.sql("""
                        update orth_pipeline_progress
                           set fanned_out_to = :to, created = created + :created
                         where root_id = :root
                           and stage = :stage
                        """)
                .param("root", root)
                .param("stage", stage)
                .param("to", to)
                .param("created", created)
                .update();
    }

    void expect(long root, int stage, long tasks) {
        jdbc.sql("""
                        update orth_pipeline_progress
                           set expected = :tasks, created = :tasks
                         where root_id = :root
                           and stage = :stage
                        """)
                .param("root", root)
                .param("stage", stage)
                .param("tasks", tasks)
                .update();
    }

    /** Its tasks are to be made anew, as far as they are missing. */
    void fanOutAgain(long root, int stage) {
        jdbc.sql("""
                        update orth_pipeline_progress
                           set expected = null, fanned_out_to = 0
                         where root_id = :root
                           and stage >= :stage
                        """).param("root", root).param("stage", stage).update();
    }

    void goTo(long root, int stage) {
        jdbc.sql("update orth_pipeline_run set stage = :stage, updated_at = clock_timestamp() where id = :root")
                .param("root", root)
                .param("stage", stage)
                .update();
    }

    /** It is left alone for a while. */
    void putOff(long root, Duration time) {
        jdbc.sql("""
                        update orth_pipeline_run
                           set look_at = clock_timestamp() + :millis * interval '1 millisecond'
                         where id = :root
                        """).param("root", root).param("millis", time.toMillis()).update();
    }

    void looked(long root, Duration nextLook, boolean settled, boolean audited, Duration nextAudit) {
        jdbc.sql(LOOKED)
                .param("root", root)
                .param("look", nextLook.toMillis())
                .param("settled", settled)
                .param("audited", audited)
                .param("audit", nextAudit.toMillis())
                .update();
    }

    /** How many children of which stage were proposed and not made, though the stage's tasks are. */
    Map<Integer, Long> missing(long root) {
        Map<Integer, Long> missing = new HashMap<>();
        jdbc.sql(MISSING).param("root", root).query(row -> {
            missing.put(row.getInt("stage"), row.getLong("children"));
        });
        return missing;
    }

    /** Reads all of the run: not for a transaction that keeps others waiting. */
    Suspicion suspect(long root, Duration since, int limit) {
        boolean counters = jdbc.sql(COUNTERS_DIFFER)
                .param("root", root)
                .query(Boolean.class)
                .single();
        return new Suspicion(
                orphaned(root, null, since, limit), counters, !missing(root).isEmpty());
    }

    /** Those of these tasks that still are; the caller has locked them. */
    List<Long> stillOrphaned(long root, Collection<Long> tasks, Duration since) {
        return orphaned(root, tasks, since, tasks.size());
    }

    private List<Long> orphaned(long root, Collection<Long> only, Duration since, int limit) {
        return jdbc.sql(ORPHANED)
                .param("root", root)
                .param("ids", only == null ? null : SqlArrays.bigints(only, id -> id))
                .param("millis", since.toMillis())
                .param("limit", limit)
                .query(Long.class)
                .list();
    }

    long openTasks() {
        return jdbc.sql(OPEN_TASKS).query(Long.class).single();
    }

    /** The latest message of each of these tasks that was sent, by queue. */
    Map<String, List<Long>> messagesOf(Collection<Long> tasks) {
        Map<String, List<Long>> found = new HashMap<>();
        jdbc.sql("""
                        select destination, message_id
                          from orth_outbox
                         where job_id = any(:tasks)
                           and message_id is not null
                        """).param("tasks", SqlArrays.bigints(tasks, id -> id)).query(row -> {
            found.computeIfAbsent(row.getString("destination"), any -> new ArrayList<>())
                    .add(row.getLong("message_id"));
        });
        return found;
    }

    Instant now() {
        return jdbc.sql("select clock_timestamp() as at")
                .query((row, n) -> SqlRows.instant(row, "at"))
                .single();
    }
}
