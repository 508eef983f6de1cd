package io.orth.admin.kernel;

import io.orth.runtime.Duty;
import io.orth.runtime.LoopObserver;
import io.orth.runtime.LoopTiming;
import io.orth.runtime.PeriodicLoop;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All background loops of this node: created before start, stopped together in reverse order. */
public final class Loops implements LoopObserver {

    private static final Logger log = LoggerFactory.getLogger(Loops.class);

    private final Clock clock;
    private final List<LoopObserver> observers;
    private final Predicate<String> mayRun;
    private final List<PeriodicLoop> loops = new CopyOnWriteArrayList<>();

    /** @param mayRun whether the loop with this name may run now; if not, its pass is skipped until the next one is due */
    public Loops(Clock clock, List<LoopObserver> observers, Predicate<String> mayRun) {
        this.mayRun = mayRun;
        this.clock = clock;
        this.observers = List.copyOf(observers);
    }

    public synchronized PeriodicLoop add(String name, LoopTiming timing, Duty duty) {
        PeriodicLoop loop = new PeriodicLoop(name, timing, whereAllowed(name, duty), this, clock);
        loops.add(loop);
        return loop;
    }

    private Duty whereAllowed(String name, Duty duty) {
        return new Duty() {
            @Override
            public Pass run() throws Exception {
                return mayRun.test(name) ? duty.run() : Pass.DRAINED;
            }

            @Override
            public void ended() {
                duty.ended();
            }
        };
    }

    /** Wakes every loop for an immediate pass. */
    public void wakeAll() {
        loops.forEach(PeriodicLoop::wake);
    }

    /** Wakes the loop with this name, if it exists, for an immediate pass. Never blocks: loops call it while all are being stopped. */
    public void wake(String name) {
        loops.stream().filter(loop -> loop.name().equals(name)).forEach(PeriodicLoop::wake);
    }

    public synchronized void start() {
        loops.forEach(PeriodicLoop::start);
    }

    /** Stops all loops; each has {@code grace} to finish its pass, then it is interrupted. */
    public synchronized void stop(Duration grace) throws InterruptedException {
        for (int i = loops.size() - 1; i >= 0; i--) {
            if (!loops.get(i).stop(grace)) {
                log.atWarn()
                        .addKeyValue("loop", loops.get(i).name())
                        .log("interrupted a loop that did not stop in time");
            }
        }
    }

    @Override
    public void passed(String loop, Duty.Pass pass) {
        observers.forEach(observer -> observer.passed(loop, pass));
    }

    /** Logs the first of consecutive failures as a warning with its stack trace, further ones at debug level. */
    @Override
    public void failed(String loop, int failuresInARow, Throwable failure) {
        if (failuresInARow == 1) {
            log.atWarn()
                    .addKeyValue("loop", loop)
                    .setCause(failure)
                    .log("a pass failed; it is tried again with backoff");
        } else {
            log.atDebug()
                    .addKeyValue("loop", loop)
                    .addKeyValue("failures", failuresInARow)
                    .log("a pass failed again");
        }
        observers.forEach(observer -> observer.failed(loop, failuresInARow, failure));
    }
}
