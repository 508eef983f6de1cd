package io.orth.admin.completion;

import io.orth.admin.kernel.EntityKind;
import io.orth.admin.kernel.StateChange;
import io.orth.admin.kernel.StateChanges;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.run.Run;
import io.orth.admin.run.RunCause;
import io.orth.admin.run.RunStatus;
import java.util.List;
import java.util.Set;
import org.springframework.context.ApplicationEventPublisher;

/**
 * Makes what follows a run in the transaction that ended it, because every end of a run is journalled there. Per batch of ends
 * this is one statement for the failed ones and one for those that succeeded, and no more where nothing follows.
 */
final class Completion implements StateChanges {

    private static final Set<RunStatus> FAILURES =
            Set.of(RunStatus.FAILED, RunStatus.TIMEOUT, RunStatus.TRIGGER_FAILED);

    /** Nobody wants it again; or it was judged before, and has its retry since then. */
    private static final Set<RunCause> NOT_RETRIED = Set.of(RunCause.KILLED, RunCause.CALLED_OFF, RunCause.LATE_RESULT);

    private final StateChanges journal;
    private final Retries retries;
    private final Children children;
    private final SkippedRuns skipped;
    private final ApplicationEventPublisher events;

    Completion(
            StateChanges journal,
            Retries retries,
            Children children,
            SkippedRuns skipped,
            ApplicationEventPublisher events) {
        this.journal = journal;
        this.retries = retries;
        this.children = children;
        this.skipped = skipped;
        this.events = events;
    }

    @Override
    public void append(List<StateChange> changes) {
        journal.append(changes);
        if (!changes.isEmpty() && changes.get(0).entity() == EntityKind.RUN) {
            follow(changes);
        }
    }

    private void follow(List<StateChange> changes) {
        List<Run> retried =
                retries.make(changes.stream().filter(Completion::isToBeRetried).toList());
        retries.correct(changes.stream().filter(Completion::isLateResult).toList());
        List<Run> fired =
                children.fire(changes.stream().filter(Completion::isSuccess).toList());
        skipped.record(changes.stream().filter(Completion::isSkipped).toList());
        if (!retried.isEmpty() || !fired.isEmpty()) {
            Transactions.afterCommit(() -> events.publishEvent(new FollowUpsMade(fired, retried)));
        }
    }

    private static boolean isToBeRetried(StateChange change) {
        return FAILURES.contains(RunStatus.valueOf(change.to()))
                && !NOT_RETRIED.contains(RunCause.valueOf(change.cause()));
    }

    private static boolean isLateResult(StateChange change) {
        return RunCause.LATE_RESULT.name().equals(change.cause());
    }

    private static boolean isSkipped(StateChange change) {
        return RunStatus.SKIPPED.name().equals(change.to());
    }

    private static boolean isSuccess(StateChange change) {
        return RunStatus.SUCCESS.name().equals(change.to());
    }
}
