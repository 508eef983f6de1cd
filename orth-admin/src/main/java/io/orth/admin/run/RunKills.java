package io.orth.admin.run;

import io.orth.admin.kernel.StateChanges;
import io.orth.admin.kernel.Transactions;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * The wish to end runs. It is kept with each run, so that it outlives whoever had it, until the run is over: by the word of its
 * executor, or by ours where no executor has it. From the moment it is kept, the run is not sent to anyone any more.
 */
@Component
public class RunKills {

    private final KillRepository kills;
    private final RunLifecycle lifecycle;
    private final Transactions transactions;

    public RunKills(JdbcClient jdbc, StateChanges changes, Transactions transactions) {
        this.kills = new KillRepository(jdbc);
        this.lifecycle = new RunLifecycle(new MoveRepository(jdbc), changes);
        this.transactions = transactions;
    }

    /** Those of a job that are not over, oldest first. */
    public List<Long> openOf(int jobId, int limit) {
        return kills.openOf(jobId, limit);
    }

    /** Keeps the wish, to be seen to again after {@code again}. Whoever had it first keeps it; what is over stays as it is. */
    public void request(Collection<Long> runIds, String by, String reason, Duration again) {
        transactions.run(() -> kills.request(runIds, by, reason, again));
    }

    /** Takes runs that are to be ended and have not been seen to for a while. */
    public List<Run> claimDue(int limit, Duration again) {
        return transactions.call(() -> kills.claimDue(limit, again));
    }

    /** Ends those that no executor was ever meant to have. */
    public Set<Long> endUnsent(Collection<Long> runIds) {
        return transactions.call(() -> lifecycle.kill(kills.lockUnsent(runIds), "before it was sent"));
    }

    /** Ends those that their executor does not have, {@code why} in words; not those that may be on their way to it. */
    public Set<Long> endUnknown(Collection<Long> runIds, String why) {
        return transactions.call(() -> lifecycle.kill(kills.lockUnknown(runIds), why));
    }

    /** Whether the executor has them cannot be asked: their results are awaited, as long as it is not known to be gone. */
    public void await(Collection<Long> runIds, String why) {
        transactions.run(() -> lifecycle.accept(kills.lockOverdue(runIds), RunCause.UNCONFIRMED, why));
    }

    /**
     * Their executor is about to be sent the kill. From now on a success counts as killed: whether it was faster cannot be known
     * until {@link #notEnding} says so.
     */
    public void sending(Collection<Long> runIds) {
        transactions.run(() -> kills.setSent(runIds, true));
    }

    /** Their executor did not get the kill, or was not running them when it did: a success stands. */
    public void notEnding(Collection<Long> runIds) {
        if (!runIds.isEmpty()) {
            transactions.run(() -> kills.setSent(runIds, false));
        }
    }

    /** Those whose executor has been told already and must not be told again. */
    public Set<Long> told(Collection<Long> runIds) {
        return Set.copyOf(kills.told(runIds));
    }

    /** Their executor was told once and for all, and is ending them: their results are awaited. */
    public void awaitResult(Collection<Long> runIds) {
        transactions.run(() -> kills.markTold(runIds, null));
    }

    /** Their executor was told and does not run them; a result that is on its way has {@code grace} to arrive. */
    public void awaitResult(Collection<Long> runIds, Duration grace) {
        transactions.run(() -> {
            kills.markTold(runIds, grace);
            kills.setSent(runIds, false);
        });
    }

    /** Ends those whose executor did not run them when it was told, {@code grace} ago or more. */
    public Set<Long> endToldInVain(Collection<Long> runIds, Duration grace, String why) {
        return transactions.call(() -> lifecycle.kill(kills.lockToldInVain(runIds, grace), why));
    }
}
