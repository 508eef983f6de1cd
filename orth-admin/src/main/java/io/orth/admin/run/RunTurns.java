package io.orth.admin.run;

import io.orth.admin.kernel.StateChanges;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.run.TurnRepository.Waiting;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Turns of jobs whose block strategy holds over all executors. Their runs are made as waiting. In one short transaction that holds
 * the row of the job, the oldest fire gets the turn if none has it, with all shards of a broadcast, and by its block strategy it is
 * decided about the others. A retry keeps the turn of the run it repeats, so a fire has it until no attempt is left.
 */
@Component
public class RunTurns {

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

    private final TurnRepository turns;
    private final RunLifecycle lifecycle;
    private final Transactions transactions;

    public RunTurns(JdbcClient jdbc, StateChanges journal, Transactions transactions) {
        this.turns = new TurnRepository(jdbc);
        this.lifecycle = new RunLifecycle(new MoveRepository(jdbc), journal);
        this.transactions = transactions;
    }

    /** Whether there is a job whose block strategy holds over all executors. */
    public boolean inUse() {
        return turns.inUse();
    }

    /** Jobs with runs that wait, in the order of their ids. */
    public List<Integer> waitingJobs(int after, int limit) {
        return turns.waitingJobs(after, limit);
    }

    /** Decides about these jobs; the calling node sends those that have their turn within {@code claim}. */
    public Decided decide(Collection<Integer> jobs, Duration claim) {
        List<Integer> waiting = jobs.isEmpty() ? List.of() : turns.withWaiting(jobs);
        return waiting.isEmpty() ? Decided.NOTHING : transactions.call(() -> decideLocked(waiting, claim));
    }

    private Decided decideLocked(List<Integer> jobs, Duration claim) {
        turns.lock(jobs);
        List<Run> next = turns.release(jobs, claim);
        List<Waiting> discardable = turns.discardable(jobs, BATCH);
        discard(discardable);
        List<Waiting> beyond = turns.beyond(jobs, MAX_WAITING, BATCH);
        refuse(beyond, "as many runs of the job wait as may (%d)".formatted(MAX_WAITING));
        turns.sayWhy(jobs, BATCH);
        List<Long> covered = turns.covered(jobs, BATCH);
        boolean more = discardable.size() >= BATCH || beyond.size() >= BATCH || covered.size() >= BATCH;
        return new Decided(next, covered, more);
    }

    /** A retry is not skipped but fails: the failure that it repeats would be forgotten. */
    private void discard(List<Waiting> discardable) {
        List<Refusal> busy = discardable.stream()
                .filter(run -> !run.isRetry())
                .map(RunTurns::busy)
                .toList();
        if (!busy.isEmpty()) {
            lifecycle.skip(busy);
        }
        List<Refusal> retries = discardable.stream()
                .filter(Waiting::isRetry)
                .map(RunTurns::busy)
                .toList();
        if (!retries.isEmpty()) {
            lifecycle.refuse(retries, RunCause.REFUSED);
        }
    }

    private static Refusal busy(Waiting run) {
        return new Refusal(
                run.id(),
                run.fence(),
                "run %d of the job was not over (block strategy DISCARD, block scope CLUSTER)".formatted(run.turn()));
    }

    private void refuse(List<Waiting> runs, String why) {
        if (!runs.isEmpty()) {
            lifecycle.refuse(
                    runs.stream()
                            .map(run -> new Refusal(run.id(), run.fence(), why))
                            .toList(),
                    RunCause.REFUSED);
        }
    }
}
