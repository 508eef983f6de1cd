package io.orth.admin.triggering.routing;

import io.orth.admin.registry.Target;
import io.orth.admin.run.Run;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * CONSISTENT_HASH: each pair of job and address has a weight, and the heaviest address wins. So a job stays where it is until
 * that executor leaves; then only its jobs move, and each to the next in its own order.
 */
final class HashRouter implements Router {

    @Override
    public Optional<Target> pick(Run run, List<Target> candidates, Predicate<Target> untried) {
        return candidates.stream()
                .filter(untried)
                .max(Comparator.comparingLong(candidate -> Mix.of(run.jobId(), candidate.address())));
    }
}
