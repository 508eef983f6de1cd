package io.orth.admin.pipeline;

import java.util.List;

/**
 * What looks wrong with a run to somebody who was in nobody's way, and may have changed since.
 *
 * @param astray tasks that nobody will hear of
 * @param counters whether the tasks are not as many as the counters say
 * @param children whether some were proposed and not made
 */
record Suspicion(List<Long> astray, boolean counters, boolean children) {

    Suspicion {
        astray = List.copyOf(astray);
    }

    boolean isNone() {
        return astray.isEmpty() && !counters && !children;
    }
}
