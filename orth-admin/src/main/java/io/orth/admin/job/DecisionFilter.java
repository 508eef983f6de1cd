package io.orth.admin.job;

import java.time.Instant;

/**
 * Filter of a list of skipped fires, newest first.
 *
 * @param jobId id of the job; null for any, as for the other parameters
 * @param from only ranges that end at or after this instant
 * @param to only ranges that start at or before this instant
 * @param before only entries with a lower id
 */
public record DecisionFilter(Integer jobId, DecisionReason reason, Instant from, Instant to, long before, int limit) {}
