package io.orth.admin.registry;

import io.orth.admin.kernel.Ticker;
import io.orth.runtime.Duty;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;

/**
 * Asks online executors whether they still have the work that the database says they have. An executor may have finished and
 * forgotten it: its result was confirmed by a commit that a failover or a restored backup has undone, or was lost inside the
 * executor. No heartbeat is missing then, so nothing else would ever end that work.
 *
 * <p>A round asks about two things: work of earlier rounds in doubt, and the next part of the work that is older than twice the
 * interval. Both are bounded, so a round costs the same however much work there is. Executors are asked outside of transactions, in
 * batches, several at a time. XXL-JOB executors cannot be asked and are left to their own detector.
 *
 * <p>What a response means:
 *
 * <ul>
 *   <li>queued or running: the work is left alone, however long it takes;
 *   <li>finished: the executor hands a result on before it counts the work as finished. If nothing is unsent, the result was
 *       confirmed and yet the database does not have it: the remembered result is recorded, by the same way as a reported one. If
 *       something is unsent, the result may be on its way, with more text than is remembered, and gets time to arrive;
 *   <li>unknown: the work never arrived, or finished so long ago that it is forgotten. One such response proves nothing: the work may
 *       be on its way to the executor, or its result to an admin. The next round, an interval later, must find the same, and for runs
 *       the executor must have no unsent results, or have said the same for ten minutes. Then the work is lost.
 * </ul>
 *
 * <p>Executors need not send heartbeats to be asked: one that cannot reach any admin responds to probes and stays online.
 *
 * <p>An executor whose heartbeats arrive may not be reachable, so that it cannot be asked. Its work is left alone for {@code timeout};
 * what is older is lost once the executor could not be asked so many times in a row. Work that an executor says it has is
 * never lost, and ends by the job's own timeout if it has one.
 *
 * <p>Every verdict is guarded by the status, the executor and the log id, so a result that arrives first wins, and a late result of a
 * lost run corrects it. The lease only saves work: rounds of two nodes at the same time do no harm.
 */
public final class LostWorkDetector implements Duty {

    /** How many responses in a row decide while a result may be on its way: ten minutes at the default interval. */
    public static final int PATIENT = 20;

    private final List<WorkVerification<?>> verifications;
    private final Ticker ticker;
    private final Duration interval;

    /** When the last round was; null before the first. Touched by the loop's thread only. */
    private Long lastRound;

    /**
     * @param askers how many executors are asked at the same time; must hold a task for each
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

    /** Does nothing until the interval has passed: its loop is faster, to keep the lease. */
    @Override
    public Pass run() throws InterruptedException {
        long now = ticker.nanos();
        if (lastRound == null || now - lastRound >= interval.toNanos()) {
            lastRound = now;
            round();
        }
        return Pass.DRAINED;
    }

    /** A kind of work that cannot be looked at does not keep the others from being looked at. */
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
