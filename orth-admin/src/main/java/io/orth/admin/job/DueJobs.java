package io.orth.admin.job;

import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.SqlRows;
import io.orth.admin.kernel.StateChanges;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** SQL that finds and advances due jobs. Callers own the transaction. */
@Repository
public class DueJobs {

    private static final String SELECT =
            "select id, name, group_id, handler, param, misfire, source_version, next_fire_at, caught_up, turn, "
                    + ScheduleColumns.NAMES
                    + ", "
                    + Execution.NAMES
                    + ", "
                    + Routing.NAMES
                    + " from orth_job";

    private static final String LOCK_ON_TIME = SELECT + """
             where next_fire_at >= :since
               and next_fire_at <= :now
             order by next_fire_at
             limit :limit
               for update skip locked
            """;

    private static final String LOCK_LATE = SELECT + """
             where next_fire_at < :since
             order by next_fire_at
             limit :limit
               for update skip locked
            """;

    /**
     * Many jobs share a fire time, so the planner must not use the index on {@code next_fire_at} to find a single job: hence
     * {@code is not distinct from}.
     */
    private static final String ADVANCE = """
            update orth_job j
               set next_fire_at = a.next, awaited_run = a.awaited, caught_up = a.caught_up,
                   turn = j.turn + a.fires, stop_reason = a.stop_reason,
                   version = case when a.stop_reason is null then j.version else j.version + 1 end
              from unnest(:ids, :claimed, :nexts, :awaited, :caughtUp, :fires, :reasons)
                as a(id, claimed, next, awaited, caught_up, fires, stop_reason)
             where j.id = a.id
               and j.next_fire_at is not distinct from a.claimed
            """;

    private static final String NEXT =
            "select next_fire_at from orth_job where next_fire_at is not null order by 1 limit 1";

    /** Awaits the shards of a broadcast one after the other. */
    private static final String AFTER_AWAITED_RUN = """
            update orth_job j
               set (awaited_run, next_fire_at) = (
                       select shard.id,
                              case when shard.id is null and j.enabled
                                   then :now + make_interval(secs => j.interval_ms / 1000.0) end
                         from (values (true)) as once
                         left join lateral (select next.id
                                              from orth_run_history ended
                                             cross join lateral (select other.id
                                                                   from orth_run other
                                                                  where other.job_id = ended.job_id
                                                                    and other.schedule_time = ended.schedule_time
                                                                    and other.trigger_type in ('SCHEDULE', 'MISFIRE', 'BACKFILL')
                                                                    and other.shard_index > ended.shard_index
                                                                    and other.status in ('INIT', 'PENDING')
                                                                  order by other.shard_index
                                                                  limit 1) next
                                             where ended.id = j.awaited_run) shard on true)
            """;

    private static final String RUNS_ENDED = AFTER_AWAITED_RUN + """
             where awaited_run = any(:runs)
            returning id, awaited_run
            """;

    private static final String RELEASE = AFTER_AWAITED_RUN + """
             where id = any(array(select j.id
                                    from orth_job j
                                   where j.awaited_run is not null
                                     and not exists (select
                                                       from orth_run r
                                                      where r.id = j.awaited_run
                                                        and r.status in ('INIT', 'PENDING'))
                                   order by j.id
                                   limit :limit
                                     for update of j skip locked))
            """;

    private static final RowMapper<DueJob> TO_DUE_JOB = (row, n) -> new DueJob(
            row.getInt("id"),
            row.getString("name"),
            row.getInt("group_id"),
            row.getString("handler"),
            row.getString("param"),
            ScheduleColumns.read(row),
            MisfirePolicy.valueOf(row.getString("misfire")),
            Execution.read(row),
            SqlRows.intOrNull(row, "source_version"),
            SqlRows.instant(row, "next_fire_at"),
            row.getInt("caught_up"),
            Routing.read(row),
            row.getLong("turn"));

    /** The next step of a claimed job: its next fire time, a run to await, or a stop reason. */
    public record Advance(
            int jobId, Instant claimed, Instant next, Long awaitedRun, int caughtUp, int fires, String stopReason) {

        public static Advance to(DueJob job, Instant next, int caughtUp) {
            return new Advance(job.id(), job.dueAt(), next, null, caughtUp, 0, null);
        }

        public static Advance afterRun(DueJob job, long runId) {
            return new Advance(job.id(), job.dueAt(), null, runId, 0, 0, null);
        }

        public static Advance stop(DueJob job, String reason) {
            return new Advance(job.id(), job.dueAt(), null, null, 0, 0, reason);
        }

        /** Returns a copy that counts {@code times} fires. */
        public Advance firing(int times) {
            return new Advance(jobId, claimed, next, awaitedRun, caughtUp, times, stopReason);
        }
    }

    private final JdbcClient jdbc;
    private final JobLifecycle lifecycle;

    public DueJobs(JdbcClient jdbc, StateChanges changes) {
        this.jdbc = jdbc;
        this.lifecycle = new JobLifecycle(jdbc, changes);
    }

    /** Locks jobs due from {@code since} to {@code now}, longest due first. Skips jobs that another node is firing. */
    public List<DueJob> lockOnTime(Instant since, Instant now, int limit) {
        return jdbc.sql(LOCK_ON_TIME)
                .params(Map.of("since", SqlRows.timestamp(since), "now", SqlRows.timestamp(now), "limit", limit))
                .query(TO_DUE_JOB)
                .list();
    }

    /** Locks jobs due before {@code since}, in the same way as {@link #lockOnTime}. */
    public List<DueJob> lockLate(Instant since, int limit) {
        return jdbc.sql(LOCK_LATE)
                .params(Map.of("since", SqlRows.timestamp(since), "limit", limit))
                .query(TO_DUE_JOB)
                .list();
    }

    /** Advances the claimed jobs. Throws if one of them changed since it was claimed, so that the whole pass is rolled back. */
    public void advance(List<Advance> advances) {
        if (advances.isEmpty()) {
            return;
        }
        int advanced = jdbc.sql(ADVANCE)
                .param("ids", SqlArrays.integers(advances, Advance::jobId))
                .param("claimed", SqlArrays.instants(advances, Advance::claimed))
                .param("nexts", SqlArrays.instants(advances, Advance::next))
                .param("awaited", SqlArrays.bigints(advances, Advance::awaitedRun))
                .param("caughtUp", SqlArrays.integers(advances, Advance::caughtUp))
                .param("fires", SqlArrays.integers(advances, Advance::fires))
                .param("reasons", SqlArrays.texts(advances, Advance::stopReason))
                .update();
        if (advanced != advances.size()) {
            throw new IllegalStateException("%d of %d claimed jobs were changed while they were locked"
                    .formatted(advances.size() - advanced, advances.size()));
        }
        lifecycle.end(advances.stream()
                .filter(advance -> advance.stopReason() != null)
                .map(Advance::jobId)
                .toList());
    }

    /** Returns the earliest fire time of all jobs. */
    public Optional<Instant> next() {
        return jdbc.sql(NEXT).query(Timestamp.class).optional().map(Timestamp::toInstant);
    }

    /** Makes jobs that only awaited the end of one of these runs due after their delay. Returns the ids of these jobs. */
    public List<Integer> runsEnded(Collection<Long> runIds, Instant now) {
        return jdbc
                .sql(RUNS_ENDED)
                .params(Map.of("runs", SqlArrays.bigints(runIds, id -> id), "now", SqlRows.timestamp(now)))
                .query((row, n) -> SqlRows.longOrNull(row, "awaited_run") == null ? row.getInt("id") : null)
                .stream()
                .filter(Objects::nonNull)
                .toList();
    }

    /** Does the same for jobs that await a finished or deleted run. Returns the number of jobs. */
    public int releaseFromEndedRuns(Instant now, int limit) {
        return jdbc.sql(RELEASE)
                .params(Map.of("now", SqlRows.timestamp(now), "limit", limit))
                .update();
    }
}
