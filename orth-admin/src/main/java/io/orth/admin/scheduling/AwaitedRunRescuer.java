package io.orth.admin.scheduling;

import io.orth.admin.job.DueJobs;
import io.orth.admin.kernel.Transactions;
import io.orth.runtime.Duty;
import java.time.Clock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Releases jobs that await a finished or deleted run, so that a missed notification cannot stop a fixed delay forever. */
@Component
final class AwaitedRunRescuer implements Duty {

    private static final Logger log = LoggerFactory.getLogger(AwaitedRunRescuer.class);
    private static final int BATCH = 500;

    private final DueJobs dueJobs;
    private final Transactions transactions;
    private final Clock clock;

    AwaitedRunRescuer(DueJobs dueJobs, Transactions transactions, Clock clock) {
        this.dueJobs = dueJobs;
        this.transactions = transactions;
        this.clock = clock;
    }

    @Override
    public Pass run() {
        int released = transactions.call(() -> dueJobs.releaseFromEndedRuns(clock.instant(), BATCH));
        if (released > 0) {
            log.atWarn().addKeyValue("jobs", released).log("freed jobs that waited for runs that are over");
        }
        return Pass.after(released, BATCH);
    }
}
