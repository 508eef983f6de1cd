package io.orth.bench.schedule;

import com.github.kagkarlsson.scheduler.task.ExecutionComplete;
import com.github.kagkarlsson.scheduler.task.schedule.Schedule;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Every whole second, none left out. db-scheduler's cron keeps the fraction of the second at which a task was done, so that each
 * fire drifts by its own lateness and the instants of a window are not the same for every contender.
 */
final class WholeSecond implements Schedule {

    @Override
    public Instant getNextExecutionTime(ExecutionComplete complete) {
        return after(complete.getExecution().getExecutionTime());
    }

    @Override
    public Instant getInitialExecutionTime(Instant now) {
        return after(now);
    }

    @Override
    public boolean isDeterministic() {
        return true;
    }

    private static Instant after(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).plusSeconds(1);
    }
}
