package io.orth.admin.pipeline;

import java.util.List;

/**
 * Findings of an audit that took no locks. Recheck them under the run's lock before acting.
 *
 * @param orphans pending tasks without a message
 * @param counters whether counters differ from the number of tasks
 * @param children whether proposed children have no task
 */
record Suspicion(List<Long> orphans, boolean counters, boolean children) {

    Suspicion {
        orphans = List.copyOf(orphans);
    }

    boolean isNone() {
        return orphans.isEmpty() && !counters && !children;
    }
}
