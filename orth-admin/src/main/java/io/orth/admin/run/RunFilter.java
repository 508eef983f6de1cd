package io.orth.admin.run;

import java.time.Instant;

/**
 * Which runs to list, newest first.
 *
 * @param from created at this instant or later
 * @param to created before this instant
 * @param before only runs with a lower id
 */
public record RunFilter(
        Integer jobId, Integer groupId, RunStatus status, Instant from, Instant to, long before, int limit) {}
