package io.orth.admin.pipeline;

import java.util.List;

/**
 * Findings of an audit that locks nothing; to be checked again under the lock of the run.
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
