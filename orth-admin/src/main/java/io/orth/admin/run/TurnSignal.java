package io.orth.admin.run;

import io.orth.admin.kernel.StateChange;
import io.orth.admin.kernel.Transactions;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;

/** Says of which jobs runs were made that await their turn, or have ended: a turn may be decided now. A hint, never the guarantee. */
@Component
public final class TurnSignal implements RunListener {

    private volatile Consumer<Collection<Integer>> listener = jobs -> {};
    private volatile boolean inUse = true;

    /** {@code jobs} is called with the ids of jobs, after the commit, by any thread. */
    public void listen(Consumer<Collection<Integer>> jobs) {
        listener = jobs;
    }

    /** Where no job takes turns, ends of runs need not be told. */
    public void inUse(boolean used) {
        inUse = used;
    }

    /** Runs were committed. */
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
