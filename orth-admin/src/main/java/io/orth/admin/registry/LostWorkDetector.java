package io.orth.admin.registry;

import io.orth.admin.kernel.Ticker;
import io.orth.runtime.Duty;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;

/**
 * Duty that asks online executors whether they still have the work that the database assigns to them. An executor may have finished and
 * forgotten work whose result was confirmed by a commit that a failover or a restored backup has undone, or the work may have been lost
 * inside the executor. No heartbeat is missing then, so nothing else would ever finish that work.
 *
 * <p>A round asks about work that earlier rounds doubted, and about the next part of the work older than twice the interval. Both are
 * bounded, so the cost of a round does not depend on the amount of work. Executors are asked outside of transactions, in batches and
 * concurrently. XXL-JOB executors cannot be asked; they have a detector of their own.
 *
 * <p>Responses have these consequences:
 *
 * <ul>
 *   <li>Queued or running: the work is left alone, however long it takes.
 *   <li>Finished: the executor passes a result on before it counts the work as finished. If the executor has no unsent results, the result
 *       was confirmed but is missing in the database: the remembered result is recorded like a reported one. If the executor has unsent
 *       results, the result may be on its way, with more text than is remembered, and gets time to arrive.
 *   <li>Unknown: the work never arrived, or finished so long ago that it is forgotten. One such response proves nothing: the work may be on
 *       its way to the executor, or its result to an admin. The next round, an interval later, must have the same outcome, and for runs the
 *       executor must have no unsent results or must have given the same response for ten minutes. Then the work is lost.
 * </ul>
 *
 * <p>Executors need not send heartbeats to be asked: an executor that cannot reach any admin responds to probes and stays online.
 *
 * <p>An executor may be unreachable although its heartbeats arrive. Its work is left alone for {@code timeout}; older work is lost once the
 * executor could not be asked in {@link #PATIENT} consecutive rounds. Work that an executor reports as held is never lost; it ends by the
 * job's own timeout, if any.
 *
 * <p>Every decision is guarded by the status, the executor and the log id, so a result that arrives first wins, and a late result of a lost
 * run corrects it. The lease only avoids duplicate work: concurrent rounds of two nodes do no harm.
 */
public final class LostWorkDetector implements Duty {

    /** Number of consecutive responses needed while a result may be on its way: ten minutes at the default interval. */
    public static final int PATIENT = 20;

    private final List<WorkVerification<?>> verifications;
    private final Ticker ticker;
    private final Duration interval;

    /** Time of the last round; null before the first. Accessed by the loop's thread only. */
    private Long lastRound;

    /**
     * @param askers pool that determines how many executors are asked concurrently; must be able to hold a task for each executor
     * @param timeout how long an executor that cannot be asked keeps its work
     */
    public LostWorkDetector(
            List<? extends HeldWork<?>> kinds,
            Executors executors,
            WorkInquiry inquiry,
            ExecutorService askers,
            Ticker ticker,
            Duration interval,
            Duration timeout) {
        this.verifications = kinds.stream()
                .<WorkVerification<?>>map(kind -> new WorkVerification<>(kind, executors, inquiry, askers, timeout))
                .toList();
        this.ticker = ticker;
        this.interval = interval;
    }

    /** Runs a round once the interval has passed. The loop is faster because it also renews the lease. */
    @Override
    public Pass run() throws InterruptedException {
        long now = ticker.nanos();
        if (lastRound == null || now - lastRound >= interval.toNanos()) {
            lastRound = now;
            round();
        }
        return Pass.DRAINED;
    }

    /** Asks about each kind of work. If one kind fails, the others are still processed; one of the failures is rethrown at the end. */
    private void round() throws InterruptedException {
        RuntimeException failure = null;
        for (WorkVerification<?> verification : verifications) {
            try {
                verification.round(interval.multipliedBy(2));
            } catch (RuntimeException e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
