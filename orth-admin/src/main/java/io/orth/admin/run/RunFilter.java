package io.orth.admin.run;

import java.time.Instant;
import java.util.Set;

/**
 * Filter for a list of runs, newest first.
 *
 * @param statuses accepted statuses; empty or null for all
 * @param from created at this instant or later
 * @param to created before this instant
 * @param before only runs with a lower id
 */
public record RunFilter(
        Integer jobId, Integer groupId, Set<RunStatus> statuses, Instant from, Instant to, long before, int limit) {

    public RunFilter {
        statuses = statuses == null ? Set.of() : Set.copyOf(statuses);
    }
}
