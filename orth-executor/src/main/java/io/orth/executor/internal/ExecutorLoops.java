package io.orth.executor.internal;

import io.orth.runtime.Duty;
import io.orth.runtime.LoopObserver;
import io.orth.runtime.LoopTiming;
import io.orth.runtime.PeriodicLoop;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates the executor's background loops. A pass that fails is logged and repeated after a fixed delay. */
public final class ExecutorLoops {

    private static final Logger log = LoggerFactory.getLogger(ExecutorLoops.class);

    /** Never used, because each pass returns its own delay. */
    private static final Duration INTERVAL = Duration.ofDays(1);

    private static final LoopObserver LOG = new LoopObserver() {
        @Override
        public void passed(String loop, Duty.Pass pass) {}

        @Override
        public void failed(String loop, int failuresInARow, Throwable failure) {
            log.atError().setCause(failure).addKeyValue("duty", loop).log("a pass failed and will be repeated");
        }
    };

    private ExecutorLoops() {}

    /** @param pass returns the delay before the next pass; zero repeats immediately */
    public static PeriodicLoop loop(String name, Duration restAfterFailure, Callable<Duration> pass) {
        return new PeriodicLoop(
                name,
                new LoopTiming(INTERVAL, failures -> restAfterFailure),
                () -> Duty.Pass.rest(pass.call()),
                LOG,
                Clock.systemUTC());
    }
}
