package io.orth.admin.triggering.routing;

import io.orth.admin.registry.Executors;
import io.orth.admin.registry.Target;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;

/** Which executors that count as online are in doubt because their heartbeats are late. Used by the thread that routes. */
final class Health {

    private final Executors executors;
    private final Duration quietAfter;
    private Set<Long> quiet = Set.of();

    Health(Executors executors, Duration quietAfter) {
        this.executors = executors;
        this.quietAfter = quietAfter;
    }

    void load(Collection<Integer> groups) {
        quiet = groups.isEmpty() ? Set.of() : executors.quiet(groups, quietAfter);
    }

    boolean isWell(Target target) {
        return !quiet.contains(target.executorId());
    }
}
