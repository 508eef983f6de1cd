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
 * Turns of jobs whose block strategy holds over all executors. Their runs are made as waiting. In one short transaction that holds
 * the row of the job, the oldest fire gets the turn if none has it, with all shards of a broadcast, and by its block strategy it is
 * decided about the others. A retry keeps the turn of the run it repeats, so a fire has it until no attempt is left. A run that was let
 * go, or never had to wait, and is not over has the turn. Runs of a job are found as {@link RunRepository} says.
 */
@Component
public class RunTurns {

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

    /** Those that are not to wait while another fire has the turn. */
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

    /** Writes into the runs for which run they wait, where they do not say it yet. */
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

    /** How many runs of a job may wait, as many as an executor lets wait by default. */
    static final int MAX_WAITING = 1_000;

    /** Of one job and decision; more are seen to in the next one. */
    private static final int BATCH = 500;

    /**
     * What was decided.
     *
     * @param next to be sent by the calling node
     * @param covered to be ended because a newer run replaces them
     * @param more whether some are left to decide about
     */
    public record Decided(List<Run> next, List<Long> covered, boolean more) {

        static final Decided NOTHING = new Decided(List.of(), List.of(), false);
    }

    /**
     * A run that waits, with no executor, and is not to wait any longer.
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

    /** Whether there is a job whose block strategy holds over all executors. */
    public boolean inUse() {
        return jdbc.sql(IN_USE).query(Boolean.class).single();
    }

    /** Jobs with runs that wait, in the order of their ids. */
    public List<Integer> waitingJobs(int after, int limit) {
        return jdbc.sql(WAITING_JOBS)
                .param("after", after)
                .param("limit", limit)
                .query(Integer.class)
                .list();
    }

    /** Decides about these jobs; the calling node sends those that have their turn within {@code claim}. */
    public Decided decide(Collection<Integer> jobs, Duration claim) {
        List<Integer> waiting = jobs.isEmpty()
                ? List.of()
                : of(WITH_WAITING, jobs).query(Integer.class).list();
        return waiting.isEmpty() ? Decided.NOTHING : transactions.call(() -> decideLocked(waiting, claim));
    }

    /** Every decision about a job is made under the lock of its row. */
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

    /** A retry is not skipped but fails: the failure that it repeats would be forgotten. */
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
