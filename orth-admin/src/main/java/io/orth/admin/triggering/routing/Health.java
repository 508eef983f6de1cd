package io.orth.admin.triggering.routing;

import io.orth.admin.kernel.Ticker;
import io.orth.admin.registry.Executors;
import io.orth.admin.registry.Target;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Which executors that count as online are in doubt: their beats are late, or this node could not reach them lately. */
final class Health {

    private static final long REMEMBERED_NANOS = Duration.ofSeconds(10).toNanos();

    private final Executors executors;
    private final Ticker ticker;
    private final Duration quietAfter;
    /** When sending last failed, by executor id. */
    private final Map<Long, Long> failures = new ConcurrentHashMap<>();
    /** Those whose beats are late; used by the thread that routes. */
    private Set<Long> quiet = Set.of();

    Health(Executors executors, Ticker ticker, Duration quietAfter) {
        this.executors = executors;
        this.ticker = ticker;
        this.quietAfter = quietAfter;
    }

    void load(Collection<Integer> groups) {
        quiet = groups.isEmpty() ? Set.of() : executors.quiet(groups, quietAfter);
        failures.values().removeIf(at -> ticker.nanos() - at > REMEMBERED_NANOS);
    }

    boolean isWell(Target target) {
        return !quiet.contains(target.executorId()) && !failures.containsKey(target.executorId());
    }

    /** Called by any thread. */
    void failed(Target target) {
        failures.put(target.executorId(), ticker.nanos());
    }

    /** Called by any thread. */
    void answered(Target target) {
        failures.remove(target.executorId());
    }
}
