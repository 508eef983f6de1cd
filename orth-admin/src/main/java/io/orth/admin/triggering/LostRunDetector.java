package io.orth.admin.triggering;

import io.orth.admin.run.Runs;
import io.orth.admin.systemlog.SystemLog;
import io.orth.runtime.Duty;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Fails runs whose executor instance died before it could report a result. */
final class LostRunDetector implements Duty {

    private static final Logger log = LoggerFactory.getLogger(LostRunDetector.class);
    private static final int BATCH = 200;

    private final Runs runs;
    private final Duration deregistrationGrace;
    private final SystemLog systemLog;

    LostRunDetector(Runs runs, Duration deregistrationGrace, SystemLog systemLog) {
        this.runs = runs;
        this.systemLog = systemLog;
        this.deregistrationGrace = deregistrationGrace;
    }

    @Override
    public Pass run() {
        int lost = runs.loseOfGoneExecutors(deregistrationGrace, BATCH);
        if (lost > 0) {
            log.atWarn().addKeyValue("runs", lost).log("failed runs whose executor is gone");
            systemLog.warn("%d runs were failed: their executors are gone".formatted(lost));
        }
        return Pass.after(lost, BATCH);
    }
}
