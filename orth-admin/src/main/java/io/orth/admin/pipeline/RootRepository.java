package io.orth.admin.pipeline;

import io.orth.admin.kernel.SqlArrays;
import java.sql.Array;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;

/** SQL of the reconciler on whole runs. Callers own the transaction and have locked the run's row. */
final class RootRepository {

    /** {@code for no key update} conflicts with other reconcilers, but not with transactions that work on the run's tasks. */
    private static final String CLAIM_DUE = """
            select id, audit_at <= clock_timestamp() as is_audit_due
              from orth_pipeline_run
             where not settled
               and look_at <= clock_timestamp()
             order by look_at
             limit 1
               for no key update skip locked
            """;

    private static final String CLAIM_ONE = """
            select id, audit_at <= clock_timestamp() as is_audit_due
              from orth_pipeline_run
             where id = :id
               and not settled
               for no key update skip locked
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

    /** Returns the correct values of wrong counters. One statement, so that it compares values of one snapshot. */
    private static final String WRONG_COUNTERS = """
            select p.stage, coalesce(t.completed, 0) as completed, coalesce(t.failed, 0) as failed,
                   coalesce(t.cancelled, 0) as cancelled, coalesce(t.tasks, 0) as tasks
              from (%s) p
              left join (select stage, count(*) filter (where status = 'COMPLETED') as completed,
                                count(*) filter (where status = 'FAILED') as failed,
                                count(*) filter (where status = 'CANCELLED') as cancelled, count(*) as tasks
                           from orth_pipeline_task
                          where root_id = any(:ids)
                            and stage between :from and :to
                          group by stage) t on t.stage = p.stage
             where p.stage between :from and :to
               and (p.completed <> coalesce(t.completed, 0)
                    or p.failed <> coalesce(t.failed, 0)
                    or p.cancelled <> coalesce(t.cancelled, 0)
                    or p.expected <> coalesce(t.tasks, 0))
            """.formatted(PipelineRunRepository.PROGRESS);

    private static final String SET_COUNTERS = """
            update orth_pipeline_progress
               set completed = ?, failed = ?, cancelled = ?, expected = case when expected is not null then ? end, created = ?
             where root_id = ?
               and stage = ?
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
     * Selects pending tasks that have not changed for a while and cannot reach an executor: they have neither an unsent outbox entry nor a
     * message in a queue. Joins the queue's table, because there may be very many tasks to check.
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

    /** Merges with a retry that is still pending, so that both are carried out. */
    private static final String NOTE_RETRY = """
            update orth_pipeline_run
               set retry_tasks = case when retry_from is null then :only::bigint[]
                                      when retry_tasks is null or :only::bigint[] is null then null
                                      else retry_tasks || :only::bigint[] end,
                   retry_from = least(retry_from, :from), retry_to = greatest(retry_to, :to),
                   stage = least(stage, :from), settled = false, look_at = clock_timestamp()
             where id = :root
            """;

    /** A run that the caller has locked. */
    record Claimed(long id, boolean isAuditDue) {}

    private static final RowMapper<Claimed> CLAIMED =
            (row, n) -> new Claimed(row.getLong("id"), row.getBoolean("is_audit_due"));

    /** Numbers of a stage's tasks by final status. */
    record Counters(int stage, long completed, long failed, long cancelled, long tasks) {}

    /**
     * A requested retry that the reconciler carries out in chunks.
     *
     * @param only ids of tasks; null for all
     */
    record Retry(int from, int to, List<Long> only) {}

    private final JdbcClient jdbc;

    RootRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    Optional<Claimed> claimDue() {
        return jdbc.sql(CLAIM_DUE).query(CLAIMED).optional();
    }

    /** Returns empty if another transaction has locked the run or it is settled. */
    Optional<Claimed> claim(long root) {
        return jdbc.sql(CLAIM_ONE).param("id", root).query(CLAIMED).optional();
    }

    void auditNow(long root) {
        jdbc.sql("update orth_pipeline_run set audit_at = clock_timestamp() where id = ?")
                .params(root)
                .update();
    }

    void fold(long root) {
        jdbc.sql(FOLD).param("root", root).update();
    }

    List<Counters> wrongCounters(long root) {
        return wrongCounters(root, 0, Short.MAX_VALUE);
    }

    boolean hasWrongCounters(long root, int stage) {
        return !wrongCounters(root, stage, stage).isEmpty();
    }

    private List<Counters> wrongCounters(long root, int from, int to) {
        return jdbc.sql(WRONG_COUNTERS)
                .param("ids", SqlArrays.bigints(List.of(root), id -> id))
                .param("from", from)
                .param("to", to)
                .query(Counters.class)
                .list();
    }

    void setCounters(long root, Counters of) {
        jdbc.sql(SET_COUNTERS)
                .params(of.completed(), of.failed(), of.cancelled(), of.tasks(), of.tasks(), root, of.stage())
                .update();
    }

    /** @param created the number of tasks created from the proposals up to {@code to} */
    void fannedOut(long root, int stage, long to, int created) {
        jdbc.sql("""
                        update orth_pipeline_progress
                           set fanned_out_to = ?, created = created + ?
                         where root_id = ?
                           and stage = ?
                        """).params(to, created, root, stage).update();
    }

    /** Sets the expected number of tasks, after all tasks of the stage are created. */
    void expectAll(long root, int stage) {
        jdbc.sql("""
                        update orth_pipeline_progress p
                           set expected = t.tasks, created = t.tasks
                          from (select count(*) as tasks from orth_pipeline_task where root_id = ? and stage = ?) t
                         where p.root_id = ?
                           and p.stage = ?
                        """).params(root, stage, root, stage).update();
    }

    /** Restarts the fan-out of this and all later stages, which creates the missing tasks. */
    void fanOutAgain(long root, int from) {
        jdbc.sql("""
                        update orth_pipeline_progress
                           set expected = null, fanned_out_to = 0
                         where root_id = ?
                           and stage >= ?
                        """).params(root, from).update();
    }

    void goTo(long root, int stage) {
        jdbc.sql("update orth_pipeline_run set stage = ?, updated_at = clock_timestamp() where id = ?")
                .params(stage, root)
                .update();
    }

    /** @param only ids of failed tasks of these stages; null for all */
    void noteRetry(PipelineRun run, int from, int to, Collection<Long> only) {
        jdbc.sql(NOTE_RETRY)
                .param("root", run.id())
                .param("from", from)
                .param("to", to)
                .param("only", only == null ? null : SqlArrays.bigints(only, id -> id))
                .update();
        // Tasks of later stages remain; fanning out again finds whether there are more of them.
        fanOutAgain(run.id(), from + 1);
    }

    Optional<Retry> pendingRetry(long root) {
        return jdbc.sql("""
                        select retry_from, retry_to, retry_tasks
                          from orth_pipeline_run
                         where id = ?
                           and retry_from is not null
                        """)
                .params(root)
                .query((row, n) ->
                        new Retry(row.getInt("retry_from"), row.getInt("retry_to"), longs(row.getArray("retry_tasks"))))
                .optional();
    }

    private static List<Long> longs(Array values) throws SQLException {
        return values == null ? null : List.of((Long[]) values.getArray());
    }

    void retryDone(long root) {
        jdbc.sql("update orth_pipeline_run set retry_tasks = null, retry_from = null, retry_to = null where id = ?")
                .params(root)
                .update();
    }

    /** Postpones the next check of the run. */
    void putOff(long root, Duration time) {
        jdbc.sql("update orth_pipeline_run set look_at = clock_timestamp() + ? * interval '1 millisecond' where id = ?")
                .params(time.toMillis(), root)
                .update();
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

    /** Returns, by stage, the number of proposed children without a task although the stage was fully fanned out. */
    Map<Integer, Long> missing(long root) {
        Map<Integer, Long> missing = new HashMap<>();
        jdbc.sql(MISSING).param("root", root).query(row -> {
            missing.put(row.getInt("stage"), row.getLong("children"));
        });
        return missing;
    }

    /** Audits the whole run, which may take long: do not call it in a transaction that holds locks. */
    Suspicion suspect(long root, Duration since, int limit) {
        return new Suspicion(
                orphaned(root, null, since, limit),
                !wrongCounters(root).isEmpty(),
                !missing(root).isEmpty());
    }

    /** Returns which of these tasks are still orphaned. The caller has locked them. */
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

    /** Returns the messages of the first open tasks, by queue. Locks nothing. */
    Map<String, List<Long>> messagesOfOpenTasks(long root, int limit) {
        Map<String, List<Long>> found = new HashMap<>();
        jdbc.sql("""
                        select destination, message_id
                          from orth_outbox
                         where job_id = any(array(select id
                                                    from orth_pipeline_task
                                                   where root_id = ?
                                                     and is_open
                                                   order by stage, id
                                                   limit ?))
                           and message_id is not null
                        """).params(root, limit).query(row -> {
            found.computeIfAbsent(row.getString("destination"), any -> new ArrayList<>())
                    .add(row.getLong("message_id"));
        });
        return found;
    }
}
