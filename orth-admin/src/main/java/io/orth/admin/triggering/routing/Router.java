package io.orth.admin.triggering.routing;

import io.orth.admin.registry.Target;
import io.orth.admin.run.Run;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Chooses the executor a run is sent to next. */
@FunctionalInterface
interface Router {

    /**
     * Empty where none of them is to be tried.
     *
     * @param candidates those that may take the run, in the order of preference or of their addresses; at least one
     * @param untried which of them have not been tried yet
     */
    Optional<Target> pick(Run run, List<Target> candidates, Predicate<Target> untried);
}
