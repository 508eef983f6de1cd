package io.orth.admin.triggering;

import io.orth.admin.kernel.Splitter;
import io.orth.admin.kernel.Ticker;
import io.orth.admin.run.RunKills;
import io.orth.admin.run.RunTurns;
import io.orth.admin.run.RunTurns.Decided;
import io.orth.admin.run.TurnSignal;
import io.orth.runtime.Duty;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Assigns turns to runs of jobs whose block strategy applies across all executors: immediately if this node created or finished a run,
 * and by polling all jobs with waiting runs. Runs replaced by COVER are killed.
 */
@Component
final class TurnKeeper implements Duty {

    private static final Logger log = LoggerFactory.getLogger(TurnKeeper.class);
    private static final int BATCH = 100;

    /** Requester and reason of kills caused by COVER, as shown in the result. */
    private static final String COVER = "block strategy COVER";

    private static final String REPLACED = "a newer run of the job replaces it";

    private final RunTurns turns;
    private final RunKills kills;
    private final TriggerDispatcher dispatcher;
    private final TurnSignal signal;
    private final Ticker ticker;
    private final TriggeringProperties properties;
    private final Set<Integer> told = ConcurrentHashMap.newKeySet();
    private volatile Runnable killer = () -> {};
    /** The next three fields are accessed by the loop's thread only. */
    private int after;

    private boolean looked;
    private long lookedAt;

    TurnKeeper(
            RunTurns turns,
            RunKills kills,
            TriggerDispatcher dispatcher,
            TurnSignal signal,
            Ticker ticker,
            TriggeringProperties properties) {
        this.turns = turns;
        this.kills = kills;
        this.dispatcher = dispatcher;
        this.signal = signal;
        this.ticker = ticker;
        this.properties = properties;
    }

    /** Sets the callback for runs to be killed. */
    void onCovered(Runnable wake) {
        this.killer = wake;
    }

    /** Signals that runs of these jobs have changed. */
    void tell(Collection<Integer> jobs) {
        told.addAll(jobs);
    }

    @Override
    public Pass run() {
        List<Integer> jobs = take();
        boolean full = jobs.size() >= BATCH;
        if (isTimeToLook()) {
            full |= look(jobs);
        }
        full |= decideAll(jobs);
        return full ? Pass.MORE : Pass.DRAINED;
    }

    private List<Integer> take() {
        List<Integer> jobs = new ArrayList<>();
        for (Iterator<Integer> some = told.iterator(); some.hasNext() && jobs.size() < BATCH; ) {
            jobs.add(some.next());
            some.remove();
        }
        return jobs;
    }

    private boolean isTimeToLook() {
        return !looked || ticker.nanos() - lookedAt >= properties.rescueEvery().toNanos();
    }

    /** Adds jobs with waiting runs, continuing where the last poll ended; returns whether there are more. */
    private boolean look(List<Integer> jobs) {
        signal.inUse(turns.inUse());
        List<Integer> found = turns.waitingJobs(after, BATCH);
        boolean full = found.size() == BATCH;
        after = full ? found.get(BATCH - 1) : 0;
        looked = !full;
        lookedAt = ticker.nanos();
        found.stream().filter(job -> !jobs.contains(job)).forEach(jobs::add);
        return full;
    }

    /** A job that fails is left for the next poll and does not block the others. */
    private boolean decideAll(List<Integer> jobs) {
        AtomicBoolean more = new AtomicBoolean();
        Map<Integer, RuntimeException> failed = new LinkedHashMap<>();
        Splitter.run(jobs, some -> more.compareAndSet(false, decide(some)), failed::put);
        if (!failed.isEmpty()) {
            log.atWarn()
                    .addKeyValue("jobs", failed.keySet())
                    .setCause(failed.values().iterator().next())
                    .log("deciding about the turns of some jobs failed; they are looked at again");
        }
        return more.get();
    }

    private boolean decide(List<Integer> jobs) {
        Decided decided = turns.decide(jobs, properties.claim());
        if (!decided.next().isEmpty()) {
            dispatcher.submit(decided.next());
        }
        if (!decided.covered().isEmpty()) {
            kills.request(decided.covered(), COVER, REPLACED, Duration.ZERO);
            killer.run();
        }
        return decided.more();
    }
}
