package io.orth.admin.run;

import io.orth.admin.kernel.Fence;
import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.StateChanges;
import io.orth.admin.kernel.Transactions;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;
import org.springframework.stereotype.Component;

/**
 * Turns of jobs whose block strategy applies across all executors. Their runs are created waiting. One short transaction holds the job's
 * row lock: if no fire has the turn, the oldest one gets it, with all shards of a broadcast; the block strategy decides about the others.
 * A retry keeps the turn of the run it retries, so a fire keeps the turn until no attempt is left. An unfinished run has the turn if it
 * was released or never had to wait. Runs of a job are looked up as described in {@link RunRepository}.
 */
@Component
public class RunTurns {

    private static final String IN_USE = "select exists (select from orth_job where block_scope = 'CLUSTER')";

    /** Skips from one job to the next, so the cost does not depend on the number of runs per job. */
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

    /** Retries that are not due and runs with a kill request do not block later fires. */
    private static final String READY =
            "awaits_turn and kill_requested_at is null and (not_before is null or not_before <= now())";

    /**
     * Releases all runs of the oldest fire of each job in which no run has the turn. Runs with a kill request are skipped. Later runs
     * with block scope EXECUTOR take no turns: waiting for them could last forever.
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

    /** Finds runs that must not wait while another fire has the turn. */
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

    /** Finds the newest fires beyond the limit, as whole fires; one fire may always wait. */
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

    /** Sets the message of waiting runs to the run they wait for, if they have none. */
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

    /** Finds runs older than the newest fire with block strategy COVER. */
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

    /** Maximum number of waiting runs per job; equals the executors' default. */
    static final int MAX_WAITING = 1_000;

    /** Maximum number of runs per job and decision; further runs are handled by the next one. */
    private static final int BATCH = 500;

    /**
     * Result of a decision.
     *
     * @param next runs to be dispatched by the calling node
     * @param covered runs to be killed because a newer run replaces them
     * @param more whether further decisions are pending
     */
    public record Decided(List<Run> next, List<Long> covered, boolean more) {

        static final Decided NOTHING = new Decided(List.of(), List.of(), false);
    }

    /**
     * A waiting run without executor that must not wait any longer.
     *
     * @param turn a run of the job that has the turn
     */
    private record Waiting(long id, Fence fence, boolean isRetry, long turn) {}

    private final JdbcClient jdbc;
    private final RunLifecycle lifecycle;
    private final Transactions transactions;

    public RunTurns(JdbcClient jdbc, StateChanges journal, Transactions transactions) {
        this.jdbc = jdbc;
        this.lifecycle = new RunLifecycle(jdbc, journal);
        this.transactions = transactions;
    }

    /** Returns whether any job has a block strategy that applies across all executors. */
    public boolean inUse() {
        return jdbc.sql(IN_USE).query(Boolean.class).single();
    }

    /** Returns the jobs with waiting runs, in id order. */
    public List<Integer> waitingJobs(int after, int limit) {
        return jdbc.sql(WAITING_JOBS)
                .param("after", after)
                .param("limit", limit)
                .query(Integer.class)
                .list();
    }

    /** Decides about these jobs; the calling node dispatches the released runs within {@code claim}. */
    public Decided decide(Collection<Integer> jobs, Duration claim) {
        List<Integer> waiting = jobs.isEmpty()
                ? List.of()
                : of(WITH_WAITING, jobs).query(Integer.class).list();
        return waiting.isEmpty() ? Decided.NOTHING : transactions.call(() -> decideLocked(waiting, claim));
    }

    /** Decides under the row locks of the jobs. */
    private Decided decideLocked(List<Integer> jobs, Duration claim) {
        of(LOCK_JOBS, jobs).query(Integer.class).list();
        List<Run> next = of(RELEASE, jobs)
                .param("claim", RunRepository.seconds(claim))
                .query(RunRepository.TO_RUN)
                .list();
        List<Waiting> discardable = waiting(batchOf(DISCARDABLE, jobs));
        discard(discardable);
        List<Waiting> beyond = waiting(batchOf(BEYOND, jobs).param("most", MAX_WAITING));
        refuse(beyond, run -> refusal(run, "as many runs of the job wait as may (%d)".formatted(MAX_WAITING)));
        batchOf(SAY_WHY, jobs).update();
        List<Long> covered = batchOf(COVERED, jobs).query(Long.class).list();
        boolean more = discardable.size() >= BATCH || beyond.size() >= BATCH || covered.size() >= BATCH;
        return new Decided(next, covered, more);
    }

    private StatementSpec of(String statement, Collection<Integer> jobs) {
        return jdbc.sql(statement).param("jobs", SqlArrays.integers(jobs, id -> id));
    }

    private StatementSpec batchOf(String statement, Collection<Integer> jobs) {
        return of(statement, jobs).param("limit", BATCH);
    }

    private static List<Waiting> waiting(StatementSpec statement) {
        return statement
                .query((row, n) -> new Waiting(
                        row.getLong("id"),
                        new Fence(null, row.getInt("dispatch")),
                        row.getObject("retry_of") != null,
                        row.getLong("turn")))
                .list();
    }

    /** Fails retries instead of skipping them; otherwise the failure they retry would be lost. */
    private void discard(List<Waiting> discardable) {
        lifecycle.skip(discardable.stream()
                .filter(run -> !run.isRetry())
                .map(RunTurns::busy)
                .toList());
        refuse(discardable.stream().filter(Waiting::isRetry).toList(), RunTurns::busy);
    }

    private static Refusal busy(Waiting run) {
        return refusal(
                run,
                "run %d of the job was not over (block strategy DISCARD, block scope CLUSTER)".formatted(run.turn()));
    }

    private static Refusal refusal(Waiting run, String why) {
        return new Refusal(run.id(), run.fence(), why);
    }

    private void refuse(List<Waiting> runs, Function<Waiting, Refusal> refusal) {
        lifecycle.refuse(runs.stream().map(refusal).toList(), RunCause.REFUSED);
    }
}
