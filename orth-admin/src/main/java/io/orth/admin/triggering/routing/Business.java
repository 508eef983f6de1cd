package io.orth.admin.triggering.routing;

import io.orth.admin.registry.Target;
import io.orth.admin.run.BusyAt;
import io.orth.admin.run.Run;
import io.orth.admin.run.Runs;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/** Which executors are busy with which jobs: by their unfinished runs, and by what this pass gives them. Used by one thread. */
final class Business {

    private final Runs runs;
    private Set<BusyAt> busy = Set.of();

    Business(Runs runs) {
        this.runs = runs;
    }

    void load(Collection<Integer> jobs) {
        busy = jobs.isEmpty() ? Set.of() : new HashSet<>(runs.busy(jobs));
    }

    boolean isBusy(Run run, Target target) {
        return busy.contains(new BusyAt(run.jobId(), target.executorId()));
    }

    void add(Run run, Target target) {
        busy.add(new BusyAt(run.jobId(), target.executorId()));
    }
}
