package io.orth.admin.run;

import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.RunIdGenerator;
import io.orth.admin.kernel.StateChanges;
import io.orth.admin.kernel.Transactions;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Runs from creation to their end. Each method that changes a status is one transaction, or joins the caller's. */
@Component
public class Runs {

    static final String RESULT_LOST = "Result lost";

    /** Runs declared lost longer ago are no longer sent to their executor as revoked. */
    private static final Duration REVOKED_FOR = Duration.ofHours(24);

    /** Ten full lanes of an executor. The response stays well below the size that executors read. */
    private static final int MOST_REVOKED = 10_000;

    /** Nodes look for an executor once per second. A longer gap means that no node looked, so no executor could have been found. */
    private static final Duration MAX_UNWATCHED = Duration.ofSeconds(5);

    private final RunRepository runs;
    private final UnsentRepository unsent;
    private final RunQuery query;
    private final FollowUpRepository followUps;
    private final RunLifecycle lifecycle;
    private final LostRuns lost;
    private final RunIdGenerator ids;
    private final Transactions transactions;

    public Runs(JdbcClient jdbc, StateChanges changes, RunIdGenerator ids, Transactions transactions) {
        this.runs = new RunRepository(jdbc);
        this.unsent = new UnsentRepository(jdbc);
        this.query = new RunQuery(jdbc);
        this.followUps = new FollowUpRepository(jdbc);
        this.lifecycle = new RunLifecycle(jdbc, changes);
        this.lost = new LostRuns(jdbc, lifecycle, transactions);
        this.ids = ids;
        this.transactions = transactions;
    }

    /** Creates runs that the calling node will dispatch within {@code claim}. A fire time that already has its run is skipped. */
    public List<Run> create(List<NewRun> wanted, Duration claim) {
        return make(wanted, ids -> runs.insert(wanted, ids, claim));
    }

    /** Creates retries of failed runs, to be dispatched when due. A run that already has a retry is skipped. */
    public List<Run> retry(List<NewRetry> wanted) {
        return make(wanted, ids -> followUps.insertRetries(wanted, ids));
    }

    /**
     * Creates one more attempt for each of these dead letters, with the job's current settings. A run that already has a retry is
     * skipped.
     */
    public List<Run> retryDead(Collection<Long> runIds) {
        return make(runIds, ids -> followUps.insertRetriesOfDead(runIds, ids));
    }

    /** Creates runs fired by others, which the calling node will dispatch within {@code claim}. Runs that already exist are skipped. */
    public List<Run> fireChildren(List<NewChild> wanted, Duration claim) {
        return make(wanted, ids -> runs.insertChildren(wanted, ids, claim));
    }

    private List<Run> make(Collection<?> wanted, Function<long[], List<Run>> insert) {
        if (wanted.isEmpty()) {
            return List.of();
        }
        return transactions.call(() -> {
            List<Run> made = insert.apply(ids.next(wanted.size()));
            lifecycle.created(made);
            return made;
        });
    }

    /** Returns when the next undispatched run may be claimed by any node. */
    public Optional<Instant> nextUnsent() {
        return followUps.nextUnsent();
    }

    /** Returns all attempts at the work of this run, including the run itself, oldest first. */
    public List<Run> attemptsOf(long id) {
        return followUps.attemptsOf(id);
    }

    /** Returns the runs fired by this run's success. */
    public List<Run> childrenOf(long id) {
        return followUps.childrenOf(id);
    }

    /** Commits dispatch intents; returns the runs that may be dispatched. */
    public Set<Long> intend(Collection<SendIntent> intents, Duration claim) {
        return Set.copyOf(transactions.call(() -> runs.intend(intents, claim)));
    }

    /** Claims undispatched runs that no node is dispatching any more. */
    public List<Run> claimUnsent(int limit, Duration claim) {
        return transactions.call(() -> runs.claimUnsent(limit, claim));
    }

    /** Shortens the claim on these undispatched runs to {@code claim}, so other nodes can claim them earlier. */
    public void shortenClaim(Collection<Long> runIds, Duration claim) {
        transactions.run(() -> runs.shortenClaim(runIds, claim));
    }

    public Set<Long> accept(Collection<Acceptance> acceptances, RunCause cause) {
        return move(acceptances, () -> lifecycle.accept(acceptances, cause));
    }

    public Set<Long> refuse(Collection<Refusal> refusals) {
        return move(refusals, () -> lifecycle.refuse(refusals, RunCause.REFUSED));
    }

    /** Ends runs that DISCARD has skipped. They have not failed, so the only consequence is an entry among the skipped fires. */
    public Set<Long> skip(Collection<Refusal> refusals) {
        return move(refusals, () -> lifecycle.skip(refusals));
    }

    /** Opens no transaction if there is nothing to do. */
    private Set<Long> move(Collection<?> wanted, Supplier<Set<Long>> work) {
        return wanted.isEmpty() ? Set.of() : transactions.call(work);
    }

    /**
     * Withdraws intents that certainly reached no executor. The runs are dispatched again after {@code claim} and show the reason
     * meanwhile.
     */
    public void withdraw(Collection<Refusal> unreachable, Duration claim) {
        transactions.run(() -> unsent.withdraw(unreachable, claim));
    }

    /**
     * Withdraws intents that no executor accepts now. The runs are dispatched again after {@code claim} and show the reason meanwhile.
     * Runs that have waited for {@code limit} fail.
     */
    public void awaitExecutor(Collection<ExecutorWait> waits, Duration claim, Duration limit) {
        if (waits.isEmpty()) {
            return;
        }
        transactions.run(() -> {
            Map<Long, Duration> waited = unsent.awaitExecutor(waits, claim, MAX_UNWATCHED);
            List<Refusal> inVain = waits.stream()
                    .map(ExecutorWait::refusal)
                    .filter(refusal -> waited.containsKey(refusal.runId())
                            && waited.get(refusal.runId()).compareTo(limit) >= 0)
                    .map(Refusal::withdrawn)
                    .toList();
            lifecycle.refuse(inVain, RunCause.NO_EXECUTOR);
        });
    }

    /**
     * Fails runs for which it cannot be found out whether an executor has them. They count as lost, and a result may still correct that.
     */
    public Set<Long> giveUp(Collection<Run> unconfirmed, String message) {
        List<Acceptance> acceptances =
                unconfirmed.stream().map(run -> Acceptance.of(run, message)).toList();
        return transactions.call(() -> {
            Set<Long> accepted = lifecycle.accept(acceptances, RunCause.UNCONFIRMED);
            return lifecycle.lose(
                    acceptances.stream()
                            .filter(each -> accepted.contains(each.runId()))
                            .toList(),
                    RESULT_LOST + ": " + message);
        });
    }

    /** Fails runs that no executor will report any more, in as many transactions as needed; returns their number. */
    public int loseOfGoneExecutors(Duration deregistrationGrace, int limit) {
        return lost.fail(
                RunRepository.OF_GONE_EXECUTORS,
                Map.of("grace", RunRepository.seconds(deregistrationGrace)),
                RESULT_LOST,
                limit);
    }

    /**
     * Returns the runs this executor must not start, or must end: they were declared lost, so others may do their work. A run is no
     * longer listed once the executor has reported it.
     */
    public List<Long> revokedOf(long executorId) {
        return runs.revoked(executorId, REVOKED_FOR, MOST_REVOKED);
    }

    /** Returns the executors that have unfinished runs of these jobs, or are about to get them. */
    public Set<BusyAt> busy(Collection<Integer> jobs) {
        return runs.busy(jobs);
    }

    public Run get(long id) {
        return runs.find(id).orElseThrow(() -> OrthException.notFound("run", id));
    }

    /** Returns the existing runs by id. */
    public List<Run> list(Collection<Long> runIds) {
        return runs.list(runIds);
    }

    public List<Run> list(RunFilter filter) {
        return query.list(filter);
    }

    /** Returns the newest run of each of these jobs; jobs without runs are omitted. */
    public List<Run> latestOf(Collection<Integer> jobs) {
        return jobs.isEmpty() ? List.of() : query.latestOf(jobs);
    }
}
