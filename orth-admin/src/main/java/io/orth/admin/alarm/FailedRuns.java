package io.orth.admin.alarm;

import io.orth.admin.kernel.EntityKind;
import io.orth.admin.kernel.StateChange;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.kernel.TransitionListener;
import io.orth.admin.run.RunStatus;
import java.util.List;
import java.util.Set;

/** Wakes the alarm monitor when a failed run is committed. */
public final class FailedRuns implements TransitionListener {

    private static final Set<String> FAILURES =
            Set.of(RunStatus.FAILED.name(), RunStatus.TIMEOUT.name(), RunStatus.TRIGGER_FAILED.name());

    private final Runnable monitor;

    FailedRuns(Runnable monitor) {
        this.monitor = monitor;
    }

    @Override
    public EntityKind entity() {
        return EntityKind.RUN;
    }

    @Override
    public void changed(List<StateChange> changes) {
        if (changes.stream().anyMatch(change -> FAILURES.contains(change.to()))) {
            Transactions.afterCommit(monitor);
        }
    }
}
