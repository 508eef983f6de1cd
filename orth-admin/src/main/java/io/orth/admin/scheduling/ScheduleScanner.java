package io.orth.admin.scheduling;

import io.orth.admin.job.DueJob;
import io.orth.admin.job.DueJobs;
import io.orth.admin.kernel.Duty;
import io.orth.admin.kernel.FaultPoints;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.run.NewRun;
import io.orth.admin.run.Run;
import io.orth.admin.run.Runs;
import io.orth.admin.triggering.Triggers;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Fires due jobs and sleeps until the next one is due. */
final class ScheduleScanner implements Duty {

    private static final Logger log = LoggerFactory.getLogger(ScheduleScanner.class);

    /** What is due but claimed by another node is not looked at in a hurry. */
    private static final Duration SHORTEST_REST = Duration.ofMillis(20);

    private final DueJobs dueJobs;
    private final Runs runs;
    private final Triggers triggers;
    private final Transactions transactions;
    private final Clock clock;
    private final SchedulingProperties properties;

    ScheduleScanner(
            DueJobs dueJobs,
            Runs runs,
            Triggers triggers,
            Transactions transactions,
            Clock clock,
            SchedulingProperties properties) {
        this.dueJobs = dueJobs;
        this.runs = runs;
        this.triggers = triggers;
        this.transactions = transactions;
        this.clock = clock;
        this.properties = properties;
    }

    private record Claimed(int jobs, List<Run> created) {}

    @Override
    public Pass run() {
        Instant now = clock.instant();
        Claimed claimed = transactions.call(() -> claim(now));
        if (!claimed.created().isEmpty()) {
            FaultPoints.reach(FaultPoints.SCHEDULE_AFTER_CLAIM);
            triggers.send(claimed.created());
        }
        if (claimed.jobs() == properties.batchSize()) {
            return Pass.MORE;
        }
        return dueJobs.next()
                .map(next -> claimed.jobs() == 0 && !next.isAfter(now) ? now.plus(SHORTEST_REST) : next)
                .map(Pass::nextAt)
                .orElse(Pass.DRAINED);
    }

    /** In one transaction: lock what is due, make its runs, move its next instant. */
    private Claimed claim(Instant now) {
        List<DueJob> due = dueJobs.lock(now, properties.batchSize());
        List<NewRun> wanted = new ArrayList<>();
        List<DueJobs.Advance> advances = new ArrayList<>();
        for (DueJob job : due) {
            plan(job, now, wanted, advances);
        }
        dueJobs.advance(advances);
        return new Claimed(due.size(), runs.create(wanted, triggers.claim()));
    }

    /** A job whose schedule cannot be read is stopped with the reason; the others go on. */
    private void plan(DueJob job, Instant now, List<NewRun> wanted, List<DueJobs.Advance> advances) {
        try {
            FirePlan plan = FirePlan.of(job.schedule(), job.misfire(), job.dueAt(), now, properties);
            for (FirePlan.Fire fire : plan.fires()) {
                wanted.add(new NewRun(
                        job.id(),
                        job.name(),
                        job.groupId(),
                        job.handler(),
                        job.param(),
                        fire.type(),
                        fire.at(),
                        job.execution(),
                        job.sourceVersion(),
                        null));
            }
            advances.add(
                    plan.next() == null
                            ? DueJobs.Advance.stop(job, "its schedule has no further fire time")
                            : DueJobs.Advance.to(job, plan.next()));
        } catch (RuntimeException e) {
            log.atError()
                    .addKeyValue("jobId", job.id())
                    .setCause(e)
                    .log("stopped a job whose schedule cannot be followed");
            advances.add(DueJobs.Advance.stop(job, "its schedule cannot be followed: " + e.getMessage()));
        }
    }
}
