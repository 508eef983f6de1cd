package io.orth.admin.triggering.routing;

import io.orth.admin.registry.Target;
import io.orth.admin.run.Run;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** FIRST and LAST: from one end of the list to the other. */
final class PositionRouter implements Router {

    private final boolean backwards;

    private PositionRouter(boolean backwards) {
        this.backwards = backwards;
    }

    static PositionRouter first() {
        return new PositionRouter(false);
    }

    static PositionRouter last() {
        return new PositionRouter(true);
    }

    @Override
    public Optional<Target> pick(Run run, List<Target> candidates, Predicate<Target> untried) {
        int last = candidates.size() - 1;
        for (int i = 0; i <= last; i++) {
            Target candidate = candidates.get(backwards ? last - i : i);
            if (untried.test(candidate)) {
                return Optional.of(candidate);
            }
        }
        return Optional.empty();
    }
}
