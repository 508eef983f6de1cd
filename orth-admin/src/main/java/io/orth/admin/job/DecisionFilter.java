package io.orth.admin.job;

import java.time.Instant;

/**
 * Which entries of the ledger to list, newest first.
 *
 * @param jobId of this job; null for any, as the others
 * @param from only stretches that reach this instant
 * @param to only stretches that began by this instant
 * @param before only entries with a lower id
 */
public record DecisionFilter(Integer jobId, DecisionReason reason, Instant from, Instant to, long before, int limit) {}
