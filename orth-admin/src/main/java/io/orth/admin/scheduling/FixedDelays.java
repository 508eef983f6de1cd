package io.orth.admin.scheduling;

import io.orth.admin.job.DueJobs;
import io.orth.admin.job.JobChanged;
import io.orth.admin.kernel.StateChange;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.run.RunListener;
import io.orth.admin.run.RunStatus;
import java.time.Clock;
import java.util.List;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Component;

/** Listener that makes a job with a fixed delay due when the run it awaits has finished, whatever the result. */
@Component
public final class FixedDelays implements RunListener {

    private final DueJobs dueJobs;
    private final Clock clock;
    private final ApplicationEventPublisher events;

    FixedDelays(DueJobs dueJobs, Clock clock, ApplicationEventPublisher events) {
        this.dueJobs = dueJobs;
        this.clock = clock;
        this.events = events;
    }

    @Override
    public void changed(List<StateChange> changes) {
        List<Long> ended = RunListener.ids(changes.stream()
                .filter(change -> RunStatus.valueOf(change.to()).isTerminal())
                .toList());
        if (!ended.isEmpty()) {
            List<Integer> due = dueJobs.runsEnded(ended, clock.instant());
            if (!due.isEmpty()) {
                Transactions.afterCommit(() -> due.forEach(job -> events.publishEvent(new JobChanged(job))));
            }
        }
    }
}
