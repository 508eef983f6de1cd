package io.orth.admin.completion;

import io.orth.admin.job.DecisionLedger;
import io.orth.admin.job.DecisionReason;
import io.orth.admin.job.LeftOut;
import io.orth.admin.job.Stretch;
import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.SqlRows;
import io.orth.admin.kernel.StateChange;
import io.orth.admin.run.RunCause;
import io.orth.admin.run.RunListener;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Listener that records runs as skipped fires if DISCARD skipped them or no executor was found. A retry is not a fire. */
@Component
public final class SkippedRuns implements RunListener {

    /**
     * Counts a broadcast fire once: by its first shard, or by the shard that was skipped earlier. The job locks make shards visible that
     * other transactions have skipped. The ids of a broadcast's shards are generated within one minute.
     */
    private static final String FIRES = """
            with fires as (
                select r.job_id, r.cause,
                       case when r.trigger_type in ('SCHEDULE', 'MISFIRE') then r.schedule_time else r.created_at end as fire_at
                  from unnest(:runs) as s(id)
                 cross join lateral (select * from orth_run_history where id = s.id limit 1) r
                 where r.job_id = any(:jobs)
                   and r.trigger_type <> 'RETRY'
                   and (r.shard_total = 1
                        or not exists (select
                                         from orth_run_history o
                                        where o.job_id = r.job_id
                                          and o.id >= r.fire_id
                                          and o.id < r.fire_id + (60000::bigint << 12)
                                          and o.fire_id = r.fire_id
                                          and o.cause = r.cause
                                          and o.id <> r.id
                                          and (o.id < r.id or o.id <> all(:runs))))
            )
            select job_id, cause, min(fire_at) as first_at, max(fire_at) as last_at, count(*) as fires
              from fires
             group by job_id, cause
             order by job_id, cause
            """;

    private static final Map<RunCause, DecisionReason> REASONS =
            Map.of(RunCause.DISCARDED, DecisionReason.DISCARDED, RunCause.NO_EXECUTOR, DecisionReason.NO_EXECUTOR);

    private final JdbcClient jdbc;
    private final DecisionLedger ledger;

    SkippedRuns(JdbcClient jdbc, DecisionLedger ledger) {
        this.jdbc = jdbc;
        this.ledger = ledger;
    }

    /** Ignores jobs that were deleted meanwhile. */
    @Override
    public void changed(List<StateChange> changes) {
        List<StateChange> skipped = changes.stream()
                .filter(change -> REASONS.containsKey(RunCause.valueOf(change.cause())))
                .toList();
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
                        REASONS.get(RunCause.valueOf(row.getString("cause"))),
                        new Stretch(
                                SqlRows.instant(row, "first_at"),
                                SqlRows.instant(row, "last_at"),
                                row.getInt("fires"),
                                false)))
                .list();
    }
}
