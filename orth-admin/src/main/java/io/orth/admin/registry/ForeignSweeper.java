package io.orth.admin.registry;

import io.orth.admin.kernel.Liveness;
import io.orth.admin.registry.ExecutorRepository.Silent;
import io.orth.runtime.Duty;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Duty that declares XXL-JOB executors dead if they have not registered for long enough; later, if most of them are silent at the same
 * time. Executors are not probed: the process that responds at an address need not be the one that had the runs.
 */
final class ForeignSweeper implements Duty {

    private static final Logger log = LoggerFactory.getLogger(ForeignSweeper.class);
    private static final int BATCH = 200;

    private final Executors executors;
    private final Liveness liveness;
    private final Duration timeout;
    private final OutageGuard guard;

    ForeignSweeper(Executors executors, Liveness liveness, Duration timeout, OutageGuard guard) {
        this.executors = executors;
        this.liveness = liveness;
        this.timeout = timeout;
        this.guard = guard;
    }

    /** Waits until this node has been healthy for the timeout: executors could not register with it before. */
    @Override
    public Pass run() {
        if (!liveness.wasWellFor(timeout)) {
            return Pass.DRAINED;
        }
        List<Silent> silent = executors.silent(ExecutorKind.XXL_JOB, guard.requiredSilence(), 0, BATCH);
        if (!silent.isEmpty()) {
            int gone = executors.declareDead(silent);
            log.atWarn().addKeyValue("executors", gone).log("XXL-JOB executors are gone: they did not register");
        }
        return Pass.after(silent.size(), BATCH);
    }
}
