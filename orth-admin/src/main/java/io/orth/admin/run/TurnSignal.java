package io.orth.admin.run;

import io.orth.admin.kernel.StateChange;
import io.orth.admin.kernel.Transactions;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;

/**
 * Signals jobs in which runs that await their turn were created, or runs finished, so a turn may be assigned. A hint only, not a
 * guarantee.
 */
@Component
public final class TurnSignal implements RunListener {

    private volatile Consumer<Collection<Integer>> listener = jobs -> {};
    private volatile boolean inUse = true;

    /** Sets the callback; it receives job ids after the commit, on any thread. */
    public void listen(Consumer<Collection<Integer>> jobs) {
        listener = jobs;
    }

    /** Sets whether any job takes turns; if none does, finished runs are not signaled. */
    public void inUse(boolean used) {
        inUse = used;
    }

    /** Signals committed runs. */
    public void made(Collection<Run> runs) {
        Set<Integer> jobs =
                runs.stream().filter(Run::awaitsTurn).map(Run::jobId).collect(Collectors.toSet());
        if (!jobs.isEmpty()) {
            inUse = true;
            listener.accept(jobs);
        }
    }

    @Override
    public void changed(List<StateChange> changes) {
        if (!inUse) {
            return;
        }
        Set<Integer> jobs = changes.stream()
                .filter(change -> RunStatus.valueOf(change.to()).isTerminal())
                .map(change -> change.row().jobId())
                .collect(Collectors.toSet());
        if (!jobs.isEmpty()) {
            Transactions.afterCommit(() -> listener.accept(jobs));
        }
    }
}
