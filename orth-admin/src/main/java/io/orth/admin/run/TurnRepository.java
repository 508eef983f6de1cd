package io.orth.admin.run;

import io.orth.admin.kernel.Fence;
import io.orth.admin.kernel.SqlArrays;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * SQL of runs that await their job's turn. What was let go, or never had to wait, and is not over has the turn. Runs of a job are
 * found as {@link RunRepository} says.
 */
final class TurnRepository {

    private static final String IN_USE = "select exists (select from orth_job where block_scope = 'CLUSTER')";

    /** From one job to the next, however many runs each has. */
    private static final String WAITING_JOBS = """
            with recursive waiting as (
                (select job_id from orth_run where awaits_turn and job_id > :after order by job_id limit 1)
                union all
                select next.job_id
                  from waiting w
                 cross join lateral (select job_id
                                       from orth_run
                                      where awaits_turn
                                        and job_id > w.job_id
                                      order by job_id
                                      limit 1) next
            )
            select job_id from waiting limit :limit
            """;

    private static final String WITH_WAITING = """
            select j.id
              from unnest(:jobs) as j(id)
             where exists (select from orth_run where job_id = j.id and awaits_turn offset 0)
            """;

    private static final String LOCK_JOBS = "select id from orth_job where id = any(:jobs) order by id for update";

    /** A retry that is not due yet and what is to be ended let others go first. */
    private static final String READY =
            "awaits_turn and kill_requested_at is null and (not_before is null or not_before <= now())";

    /**
     * All runs of the oldest fire, where no run of the job has the turn. One that is being ended is left alone. Runs that were made
     * after it with block scope EXECUTOR take no turns: it does not wait for them, or it might without end.
     */
    private static final String RELEASE = """
            with free as (
                select j.id, next.fire_id
                  from unnest(:jobs) as j(id)
                 cross join lateral (select fire_id
                                       from orth_run
                                      where job_id = j.id
                                        and %1$s
                                      order by fire_id
                                      limit 1) next
                 where not exists (select
                                     from orth_run o
                                    where o.job_id = j.id
                                      and not o.awaits_turn
                                      and (o.block_scope = 'CLUSTER' or coalesce(o.fire_id, o.id) < next.fire_id)
                                   offset 0)
            ), released as (
                select r.id
                  from free f
                 cross join lateral (select id
                                       from orth_run
                                      where job_id = f.id
                                        and fire_id = f.fire_id
                                        and %1$s
                                        for update skip locked) r
            )
            update orth_run
               set awaits_turn = false, not_before = now(), claim_until = now() + make_interval(secs => :claim),
                   trigger_msg = null
             where id = any(array(select id from released))
            returning
            """.formatted(READY) + RunRepository.COLUMNS;

    private static final String HAS_TURN =
            "cross join lateral (select min(id + 0) as id from orth_run where job_id = j.id and not awaits_turn) turn";

    private static final String DISCARDABLE = """
            select r.id, r.dispatch, r.retry_of, turn.id as turn
              from unnest(:jobs) as j(id)
             %s
             cross join lateral (select id, dispatch, retry_of
                                   from orth_run
                                  where job_id = j.id
                                    and block_strategy = 'DISCARD'
                                    and %s
                                  order by fire_id
                                  limit :limit
                                    for update skip locked) r
             where turn.id is not null
            """.formatted(HAS_TURN, READY);

    /** Whole fires, the newest ones; one fire may always wait. */
    private static final String BEYOND = """
            select r.id, r.dispatch, r.retry_of, 0 as turn
              from unnest(:jobs) as j(id)
             cross join lateral (select fire_id from orth_run where job_id = j.id and awaits_turn
                                  order by fire_id limit 1) oldest
             cross join lateral (select fire_id from orth_run where job_id = j.id and awaits_turn
                                  order by fire_id offset :most limit 1) beyond
             cross join lateral (select id, dispatch, retry_of
                                   from orth_run
                                  where job_id = j.id
                                    and awaits_turn
                                    and kill_requested_at is null
                                    and fire_id >= beyond.fire_id
                                    and fire_id > oldest.fire_id
                                  order by fire_id
                                  limit :limit) r
            """;

    /** Only of those that do not say it yet. */
    private static final String SAY_WHY = """
            with waiting as (
                select r.id, turn.id as turn
                  from unnest(:jobs) as j(id)
                 %s
                 cross join lateral (select id
                                       from orth_run
                                      where job_id = j.id
                                        and awaits_turn
                                        and trigger_msg is null
                                      order by fire_id
                                      limit :limit
                                        for update skip locked) r
                 where turn.id is not null
            )
            update orth_run r
               set trigger_msg = 'waits until run ' || w.turn || ' of the job is over (block strategy '
                                 || r.block_strategy || ', block scope CLUSTER)'
              from waiting w
             where r.id = any(array[w.id])
            """.formatted(HAS_TURN);

    /** What is older than the newest fire that covers. */
    private static final String COVERED = """
            select o.id
              from unnest(:jobs) as j(id)
             cross join lateral (select fire_id
                                   from orth_run
                                  where job_id = j.id
                                    and block_strategy = 'COVER'
                                    and %s
                                  order by fire_id desc
                                  limit 1) newest
             cross join lateral (select id
                                   from orth_run
                                  where job_id = j.id
                                    and kill_requested_at is null
                                    and coalesce(fire_id, id) < newest.fire_id
                                  limit :limit) o
            """.formatted(READY);

    /**
     * A run that waits, with no executor, and is not to wait any longer.
     *
     * @param turn a run of the job that has the turn
     */
    record Waiting(long id, Fence fence, boolean isRetry, long turn) {}

    private final JdbcClient jdbc;

    TurnRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    boolean inUse() {
        return jdbc.sql(IN_USE).query(Boolean.class).single();
    }

    List<Integer> waitingJobs(int after, int limit) {
        return jdbc.sql(WAITING_JOBS)
                .param("after", after)
                .param("limit", limit)
                .query(Integer.class)
                .list();
    }

    List<Integer> withWaiting(Collection<Integer> jobs) {
        return jdbc.sql(WITH_WAITING)
                .param("jobs", SqlArrays.integers(jobs, id -> id))
                .query(Integer.class)
                .list();
    }

    /** Every decision about a job is made under this lock. */
    void lock(Collection<Integer> jobs) {
        jdbc.sql(LOCK_JOBS)
                .param("jobs", SqlArrays.integers(jobs, id -> id))
                .query(Integer.class)
                .list();
    }

    List<Run> release(Collection<Integer> jobs, Duration claim) {
        return jdbc.sql(RELEASE)
                .param("jobs", SqlArrays.integers(jobs, id -> id))
                .param("claim", RunRepository.seconds(claim))
                .query(RunRepository.TO_RUN)
                .list();
    }

    /** Those that are not to wait while another fire has the turn. */
    List<Waiting> discardable(Collection<Integer> jobs, int limit) {
        return waiting(jdbc.sql(DISCARDABLE), jobs, limit);
    }

    /** Those of a job behind the first {@code most} that wait. */
    List<Waiting> beyond(Collection<Integer> jobs, int most, int limit) {
        return waiting(jdbc.sql(BEYOND).param("most", most), jobs, limit);
    }

    private static List<Waiting> waiting(JdbcClient.StatementSpec statement, Collection<Integer> jobs, int limit) {
        return statement
                .param("jobs", SqlArrays.integers(jobs, id -> id))
                .param("limit", limit)
                .query((row, n) -> new Waiting(
                        row.getLong("id"),
                        new Fence(null, row.getInt("dispatch")),
                        row.getObject("retry_of") != null,
                        row.getLong("turn")))
                .list();
    }

    /** Writes into the runs that wait for which run they do. */
    void sayWhy(Collection<Integer> jobs, int limit) {
        jdbc.sql(SAY_WHY)
                .param("jobs", SqlArrays.integers(jobs, id -> id))
                .param("limit", limit)
                .update();
    }

    /** Open runs that a newer one of their job is to replace, and that are not being ended yet. */
    List<Long> covered(Collection<Integer> jobs, int limit) {
        return jdbc.sql(COVERED)
                .param("jobs", SqlArrays.integers(jobs, id -> id))
                .param("limit", limit)
                .query(Long.class)
                .list();
    }
}
