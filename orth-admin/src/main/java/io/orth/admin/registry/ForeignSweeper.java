package io.orth.admin.registry;

import io.orth.admin.kernel.Liveness;
import io.orth.admin.registry.ExecutorRepository.Silent;
import io.orth.runtime.Duty;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls executors of XXL-JOB's gone that have not registered for long enough. They are not asked: whoever answers at their
 * address need not be the one that had the runs.
 */
final class ForeignSweeper implements Duty {

    private static final Logger log = LoggerFactory.getLogger(ForeignSweeper.class);
    private static final int BATCH = 200;

    private final Executors executors;
    private final Liveness liveness;
    private final Duration silence;

    ForeignSweeper(Executors executors, Liveness liveness, Duration silence) {
        this.executors = executors;
        this.liveness = liveness;
        this.silence = silence;
    }

    /** While this node was not well, nobody could register with it; so it judges only after they have had the time. */
    @Override
    public Pass run() {
        if (!liveness.wasWellFor(silence)) {
            return Pass.DRAINED;
        }
        List<Silent> silent = executors.silent(ExecutorKind.XXL_JOB, silence, 0, BATCH);
        if (!silent.isEmpty()) {
            int gone = executors.declareDead(silent);
            log.atWarn().addKeyValue("executors", gone).log("XXL-JOB executors are gone: they did not register");
        }
        return Pass.after(silent.size(), BATCH);
    }
}
