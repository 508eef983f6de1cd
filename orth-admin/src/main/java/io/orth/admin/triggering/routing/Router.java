package io.orth.admin.triggering.routing;

import io.orth.admin.registry.Target;
import io.orth.admin.run.Run;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Chooses the next executor for a run. */
@FunctionalInterface
interface Router {

    /**
     * Returns the executor to try; empty if none.
     *
     * @param candidates executors allowed for the run, in order of preference or address; at least one
     * @param untried accepts the candidates that have not been tried yet
     */
    Optional<Target> pick(Run run, List<Target> candidates, Predicate<Target> untried);
}
