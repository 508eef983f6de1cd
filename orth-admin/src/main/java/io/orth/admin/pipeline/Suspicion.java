package io.orth.admin.pipeline;

import java.util.List;

/**
 * What looks wrong with a run to somebody who was in nobody's way, and may have changed since.
 *
 * @param orphans pending tasks without a message
 * @param counters whether the tasks are not as many as the counters say
 * @param children whether some were proposed and not made
 */
record Suspicion(List<Long> orphans, boolean counters, boolean children) {

    Suspicion {
        orphans = List.copyOf(orphans);
    }

    boolean isNone() {
        return orphans.isEmpty() && !counters && !children;
    }
}
