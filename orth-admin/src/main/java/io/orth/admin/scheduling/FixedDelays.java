package io.orth.admin.scheduling;

import io.orth.admin.job.DueJobs;
import io.orth.admin.job.JobChanged;
import io.orth.admin.kernel.EntityKind;
import io.orth.admin.kernel.StateChange;
import io.orth.admin.kernel.StateChanges;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.run.RunStatus;
import java.time.Clock;
import java.util.List;
import org.springframework.context.ApplicationEventPublisher;

/**
 * Makes a job with a fixed delay due when the run it waits for has ended, however it ended: in the same transaction, because
 * every end of a run is journalled in the one that made it.
 */
final class FixedDelays implements StateChanges {

    private final StateChanges journal;
    private final DueJobs dueJobs;
    private final Clock clock;
    private final ApplicationEventPublisher events;

    FixedDelays(StateChanges journal, DueJobs dueJobs, Clock clock, ApplicationEventPublisher events) {
        this.journal = journal;
        this.dueJobs = dueJobs;
        this.clock = clock;
        this.events = events;
    }

    @Override
    public void append(List<StateChange> changes) {
        journal.append(changes);
        List<Long> ended = changes.stream()
                .filter(FixedDelays::isEndOfARun)
                .map(change -> change.row().id())
                .toList();
        if (!ended.isEmpty()) {
            List<Integer> due = dueJobs.runsEnded(ended, clock.instant());
            if (!due.isEmpty()) {
                Transactions.afterCommit(() -> due.forEach(job -> events.publishEvent(new JobChanged(job))));
            }
        }
    }

    private static boolean isEndOfARun(StateChange change) {
        return change.entity() == EntityKind.RUN
                && RunStatus.valueOf(change.to()).next().isEmpty();
    }
}
