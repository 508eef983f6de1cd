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

/** Runs, from their making to their end. Each method that changes a status is one transaction, or joins the caller's. */
@Component
public class Runs {

    static final String RESULT_LOST = "Result lost";

    /** An executor that was held up for longer has had its runs' history told to it in vain. */
    private static final Duration REVOKED_FOR = Duration.ofHours(24);

    /** Ten full lanes of an executor; the reply stays well below what executors read. */
    private static final int MOST_REVOKED = 10_000;

    /** Looks for an executor are a second apart; in a longer gap no node looked, and no executor could have been found. */
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

    /** Makes runs that the calling node will send within {@code claim}. An instant that has its run already is passed over. */
    public List<Run> create(List<NewRun> wanted, Duration claim) {
        return make(wanted, ids -> runs.insert(wanted, ids, claim));
    }

    /** Makes runs that repeat failed ones, to be taken up when their time has come. One that has its retry is passed over. */
    public List<Run> retry(List<NewRetry> wanted) {
        return make(wanted, ids -> followUps.insertRetries(wanted, ids));
    }

    /** Makes one more attempt at each of these runs that were given up, as its job is now. One that has its retry is passed over. */
    public List<Run> retryDead(Collection<Long> runIds) {
        return make(runIds, ids -> followUps.insertRetriesOfDead(runIds, ids));
    }

    /** Makes runs fired by others, which the calling node will send within {@code claim}. What was fired is passed over. */
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

    /** When the next unsent run may be taken up by whoever comes first. */
    public Optional<Instant> nextUnsent() {
        return followUps.nextUnsent();
    }

    /** All attempts at the work of this run, the first one first; itself among them. */
    public List<Run> attemptsOf(long id) {
        return followUps.attemptsOf(id);
    }

    /** The runs that its success fired. */
    public List<Run> childrenOf(long id) {
        return followUps.childrenOf(id);
    }

    /** Commits to whom the runs are about to be sent; returns those that may be. */
    public Set<Long> intend(Collection<SendIntent> intents, Duration claim) {
        return Set.copyOf(transactions.call(() -> runs.intend(intents, claim)));
    }

    /** Takes unsent runs that nobody is sending any more. */
    public List<Run> claimUnsent(int limit, Duration claim) {
        return transactions.call(() -> runs.claimUnsent(limit, claim));
    }

    /** Lets others look after these unsent runs after {@code claim} already. */
    public void shortenClaim(Collection<Long> runIds, Duration claim) {
        transactions.run(() -> runs.shortenClaim(runIds, claim));
    }

    public Set<Long> accept(Collection<Acceptance> acceptances, RunCause cause) {
        return move(acceptances, () -> lifecycle.accept(acceptances, cause));
    }

    public Set<Long> refuse(Collection<Refusal> refusals) {
        return move(refusals, () -> lifecycle.refuse(refusals, RunCause.REFUSED));
    }

    /** Ends runs that DISCARD has skipped. They have not failed, so nothing follows but an entry among the skipped fires. */
    public Set<Long> skip(Collection<Refusal> refusals) {
        return move(refusals, () -> lifecycle.skip(refusals));
    }

    /** Without a transaction if there is nothing to do. */
    private Set<Long> move(Collection<?> wanted, Supplier<Set<Long>> work) {
        return wanted.isEmpty() ? Set.of() : transactions.call(work);
    }

    /** Takes back what surely reached nobody, to be sent anew after {@code claim}; meanwhile the runs say why they wait. */
    public void withdraw(Collection<Refusal> unreachable, Duration claim) {
        transactions.run(() -> unsent.withdraw(unreachable, claim));
    }

    /**
     * Takes back what no executor takes now, to be sent anew after {@code claim}; meanwhile the runs say why they wait. Those fail
     * that have waited for {@code limit} by now.
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

    /** Whether an executor has them cannot be found out: they count as lost, and a result may still correct that. */
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

    /** Fails runs that no executor will report any more; returns how many. In as many transactions as that takes. */
    public int loseOfGoneExecutors(Duration deregistrationGrace, int limit) {
        return lost.fail(
                RunRepository.OF_GONE_EXECUTORS,
                Map.of("grace", RunRepository.seconds(deregistrationGrace)),
                RESULT_LOST,
                limit);
    }

    /**
     * Runs that this executor must not start any more, or must end: they were judged lost, so others may do their work. Once it
     * has reported on one, that is no longer listed.
     */
    public List<Long> revokedOf(long executorId) {
        return runs.revoked(executorId, REVOKED_FOR, MOST_REVOKED);
    }

    /** Which executors have unfinished runs of these jobs, or are about to get them. */
    public Set<BusyAt> busy(Collection<Integer> jobs) {
        return runs.busy(jobs);
    }

    public Run get(long id) {
        return runs.find(id).orElseThrow(() -> OrthException.notFound("run", id));
    }

    /** Those that there are, by id. */
    public List<Run> list(Collection<Long> runIds) {
        return runs.list(runIds);
    }

    public List<Run> list(RunFilter filter) {
        return query.list(filter);
    }

    /** The newest run of each of these jobs that has one. */
    public List<Run> latestOf(Collection<Integer> jobs) {
        return jobs.isEmpty() ? List.of() : query.latestOf(jobs);
    }
}
