package io.orth.admin.scheduling;

import io.orth.admin.job.DueJob;
import io.orth.admin.job.DueJobs;
import io.orth.admin.kernel.FaultPoints;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.run.Run;
import io.orth.admin.triggering.Triggers;
import io.orth.runtime.Duty;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.stereotype.Component;

/**
 * Loop that fires due jobs and sleeps until the next one is due. Each pass first serves jobs that are on time. Late jobs follow in a
 * separate small transaction, so that catching up delays other jobs by no more than that transaction takes.
 */
@Component
final class ScheduleScanner implements Duty {

    /** Pause if all due jobs are locked by other nodes. */
    private static final Duration SHORTEST_REST = Duration.ofMillis(20);

    private final DueJobs dueJobs;
    private final DuePass pass;
    private final Triggers triggers;
    private final Transactions transactions;
    private final Clock clock;
    private final SchedulingProperties properties;

    ScheduleScanner(
            DueJobs dueJobs,
            DuePass pass,
            Triggers triggers,
            Transactions transactions,
            Clock clock,
            SchedulingProperties properties) {
        this.dueJobs = dueJobs;
        this.pass = pass;
        this.triggers = triggers;
        this.transactions = transactions;
        this.clock = clock;
        this.properties = properties;
    }

    private record Claimed(int jobs, List<Run> created) {}

    @Override
    public Pass run() {
        Instant now = clock.instant();
        Instant onTimeFrom = now.minus(properties.misfireAfter());
        int onTime = fire(() -> dueJobs.lockOnTime(onTimeFrom, now, properties.batchSize()), now);
        Optional<Instant> next = dueJobs.next();
        int late = next.isPresent() && next.get().isBefore(onTimeFrom)
                ? fire(() -> dueJobs.lockLate(onTimeFrom, properties.backlogBatchSize()), now)
                : 0;
        if (onTime == properties.batchSize() || late > 0) {
            return Pass.MORE;
        }
        return next.map(instant -> onTime == 0 && !instant.isAfter(now) ? now.plus(SHORTEST_REST) : instant)
                .map(Pass::nextAt)
                .orElse(Pass.DRAINED);
    }

    /** Locks due jobs, creates their runs and advances their next fire times in one transaction. Returns the number of jobs. */
    private int fire(Supplier<List<DueJob>> lock, Instant now) {
        Claimed claimed = transactions.call(() -> {
            List<DueJob> due = lock.get();
            return new Claimed(due.size(), due.isEmpty() ? List.of() : pass.fire(due, now));
        });
        if (!claimed.created().isEmpty()) {
            FaultPoints.reach(FaultPoints.SCHEDULE_AFTER_CLAIM);
            triggers.send(claimed.created());
        }
        return claimed.jobs();
    }
}
