package io.orth.admin.triggering.routing;

import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What each executor got of each job, on any node: how often today (by UTC), and when last. What this node adds is written down
 * later, in batches. Used by one thread.
 */
final class Uses {

    /** {@code count} is of the day of {@code last}. */
    record Use(int jobId, String address, long count, Instant last) {}

    private record Key(int jobId, String address) {}

    private final RouteRepository rows;
    private final Clock clock;
    private Map<Key, Use> stored = Map.of();
    private final Map<Key, Use> added = new HashMap<>();
    private Instant newest = Instant.EPOCH;

    Uses(RouteRepository rows, Clock clock) {
        this.rows = rows;
        this.clock = clock;
    }

    void load(Collection<Integer> jobs) {
        stored = new HashMap<>();
        if (!jobs.isEmpty()) {
            rows.uses(jobs).forEach(use -> stored.put(new Key(use.jobId(), use.address()), use));
        }
    }

    /** Empty where there was none today. */
    Optional<Long> today(int jobId, String address) {
        Key key = new Key(jobId, address);
        long count = countToday(stored.get(key)) + countToday(added.get(key));
        return count == 0 ? Optional.empty() : Optional.of(count);
    }

    private long countToday(Use use) {
        boolean isOfToday = use != null && !use.last().isBefore(clock.instant().truncatedTo(ChronoUnit.DAYS));
        return isOfToday ? use.count() : 0;
    }

    Instant last(int jobId, String address) {
        Key key = new Key(jobId, address);
        return Stream.of(stored, added)
                .map(uses -> uses.get(key))
                .filter(Objects::nonNull)
                .map(Use::last)
                .max(Comparator.naturalOrder())
                .orElse(Instant.MIN);
    }

    /** {@code newcomer} is how many it counts as having had, where it had none today. */
    void add(int jobId, String address, long newcomer) {
        long more = today(jobId, address).isPresent() ? 1 : newcomer + 1;
        Key key = new Key(jobId, address);
        added.put(key, new Use(jobId, address, countToday(added.get(key)) + more, stamp()));
    }

    /** No two are the same, or the order within a batch would be lost. */
    private Instant stamp() {
        Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        newest = now.isAfter(newest) ? now : newest.plus(1, ChronoUnit.MICROS);
        return newest;
    }

    /** Writes down what was added since the last time. */
    void flush() {
        if (!added.isEmpty()) {
            List<Use> written = new ArrayList<>(added.values());
            added.clear();
            rows.addUses(written);
        }
    }
}
