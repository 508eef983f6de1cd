package io.orth.admin.triggering.routing;

import io.orth.admin.run.Run;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * Whose turn it is. The claim that fires a job numbers its runs; other runs get the next number here, which is added to the
 * job's row later. Used by one thread.
 */
final class Turns {

    private final RouteRepository rows;
    private Map<Integer, Long> stored = Map.of();
    private final Map<Integer, Integer> taken = new HashMap<>();

    Turns(RouteRepository rows) {
        this.rows = rows;
    }

    void load(Collection<Integer> jobs) {
        stored = jobs.isEmpty() ? Map.of() : rows.turns(jobs);
    }

    long of(Run run) {
        Long turn = run.route().turn();
        if (turn != null) {
            return turn;
        }
        return stored.getOrDefault(run.jobId(), 0L) + taken.merge(run.jobId(), 1, Integer::sum) - 1;
    }

    /** Writes down what was taken since the last time. */
    void flush() {
        if (!taken.isEmpty()) {
            Map<Integer, Integer> written = Map.copyOf(taken);
            taken.clear();
            rows.addTurns(written);
        }
    }
}
