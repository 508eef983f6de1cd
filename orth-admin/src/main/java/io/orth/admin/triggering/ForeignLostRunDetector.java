package io.orth.admin.triggering;

import io.orth.admin.kernel.Liveness;
import io.orth.admin.registry.OutageGuard;
import io.orth.admin.registry.XxlJobProperties;
import io.orth.admin.run.ForeignLosses;
import io.orth.admin.systemlog.SystemLog;
import io.orth.runtime.Duty;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fails runs of executors on the XXL-JOB wire whose results will not arrive. A run qualifies if it has been awaited for long enough and
 * the executor no longer registers, reports twice that it does not run the job, or repeatedly gives no valid response. It also qualifies
 * once it has been awaited longer than any run may take.
 */
final class ForeignLostRunDetector implements Duty {

    private static final Logger log = LoggerFactory.getLogger(ForeignLostRunDetector.class);
    private static final int BATCH = 200;
    private static final String LOST = "Result lost";

    private final ForeignLosses losses;
    private final IdleWatch idle;
    private final Liveness liveness;
    private final OutageGuard guard;
    private final XxlJobProperties properties;
    private final SystemLog systemLog;

    ForeignLostRunDetector(
            ForeignLosses losses,
            IdleWatch idle,
            Liveness liveness,
            OutageGuard guard,
            XxlJobProperties properties,
            SystemLog systemLog) {
        this.losses = losses;
        this.idle = idle;
        this.liveness = liveness;
        this.guard = guard;
        this.properties = properties;
        this.systemLog = systemLog;
    }

    /** Does nothing while this node is unhealthy: executors could not register with it, so their silence proves nothing. */
    @Override
    public Pass run() throws InterruptedException {
        int silent = liveness.wasWellFor(properties.silentAfter())
                ? losses.ofSilent(properties.lostAfter(), guard.requiredSilence(), LOST, BATCH)
                : 0;
        int old = losses.ofAge(
                properties.longestRun(), "%s: no result within %s".formatted(LOST, properties.longestRun()), BATCH);
        int notThere = 0;
        for (IdleWatch.Loss loss : idle.look()) {
            notThere += losses.at(loss.place(), properties.lostAfter(), "%s: %s".formatted(LOST, loss.why()), BATCH);
        }
        if (silent + old + notThere > 0) {
            log.atWarn()
                    .addKeyValue("ofSilent", silent)
                    .addKeyValue("notThere", notThere)
                    .addKeyValue("tooOld", old)
                    .log("failed runs of XXL-JOB executors whose results will not come");
            systemLog.warn("%d runs of XXL-JOB executors were failed: their results will not come"
                    .formatted(silent + old + notThere));
        }
        return Pass.after(Math.max(silent, old), BATCH);
    }
}
