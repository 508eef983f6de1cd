package io.orth.admin.completion;

import io.orth.admin.job.DecisionLedger;
import io.orth.admin.job.DecisionReason;
import io.orth.admin.job.LeftOut;
import io.orth.admin.job.Stretch;
import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.SqlRows;
import io.orth.admin.kernel.StateChange;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Lists runs that DISCARD has skipped among the skipped fires of their jobs. Runs started by a person or a backfill are no fires: they
 * are looked up by their id.
 */
final class SkippedRuns {

    /** Another shard of the same fire, which was skipped before or is the first of those that are skipped now. */
    private static final String FIRST_SKIPPED =
            "o.status = 'SKIPPED' and o.id <> r.id and (o.id < r.id or o.id <> all(:runs))";

    /** A fire that was broadcast counts once. The jobs are locked, so what other transactions have skipped of it is seen. */
    private static final String FIRES = """
            with fires as (
                select r.job_id,
                       case when r.trigger_type = 'CHILD' then r.created_at else r.schedule_time end as fire_at
                  from unnest(:runs) as s(id)
                 cross join lateral (select * from orth_run_history where id = s.id limit 1) r
                 where r.job_id = any(:jobs)
                   and r.trigger_type in ('SCHEDULE', 'MISFIRE', 'CHILD')
                   and (r.shard_total = 1
                        or r.parent_run is null
                           and not exists (select
                                             from orth_run_history o
                                            where o.job_id = r.job_id
                                              and o.schedule_time = r.schedule_time
                                              and o.trigger_type in ('SCHEDULE', 'MISFIRE', 'BACKFILL')
                                              and %1$s)
                        or r.parent_run is not null
                           and not exists (select
                                             from orth_run_history o
                                            where o.parent_run = r.parent_run
                                              and o.job_id = r.job_id
                                              and %1$s))
            )
            select job_id, min(fire_at) as first_at, max(fire_at) as last_at, count(*) as fires
              from fires
             group by job_id
             order by job_id
            """.formatted(FIRST_SKIPPED);

    private final JdbcClient jdbc;
    private final DecisionLedger ledger;

    SkippedRuns(JdbcClient jdbc, DecisionLedger ledger) {
        this.jdbc = jdbc;
        this.ledger = ledger;
    }

    /** In the transaction that ended the runs. A job that was deleted meanwhile has no list any more. */
    void record(List<StateChange> skipped) {
        if (!skipped.isEmpty()) {
            Collection<Integer> jobs =
                    skipped.stream().map(change -> change.row().jobId()).collect(Collectors.toCollection(TreeSet::new));
            List<Integer> locked = jdbc.sql(Children.LOCK_JOBS)
                    .param("ids", SqlArrays.integers(jobs, id -> id))
                    .query(Integer.class)
                    .list();
            ledger.record(fires(skipped, locked));
        }
    }

    private List<LeftOut> fires(List<StateChange> skipped, List<Integer> jobs) {
        return jdbc.sql(FIRES)
                .param("runs", SqlArrays.bigints(skipped, change -> change.row().id()))
                .param("jobs", SqlArrays.integers(jobs, id -> id))
                .query((row, n) -> new LeftOut(
                        row.getInt("job_id"),
                        DecisionReason.DISCARDED,
                        new Stretch(
                                SqlRows.instant(row, "first_at"),
                                SqlRows.instant(row, "last_at"),
                                row.getInt("fires"),
                                false)))
                .list();
    }
}
