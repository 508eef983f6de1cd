package io.orth.admin.queue;

import io.orth.admin.kernel.Backoff;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.RetryPolicy;

/**
 * Settings for a queue.
 *
 * @param groupId the executor group that works on it; null for the first group that polls
 * @param version the version that this change is based on; null to skip the check
 */
public record QueueSetup(Integer groupId, int maxAttempts, Backoff backoff, Queue.Limits limits, Integer version) {

    private static final int MOST = 1_000_000;

    public QueueSetup {
        RetryPolicy.checkMaxAttempts(maxAttempts);
        checkLimit("rateLimit", limits.rate());
        checkLimit("concurrencyLimit", limits.concurrency());
    }

    private static void checkLimit(String field, Integer limit) {
        if (limit != null && (limit < 1 || limit > MOST)) {
            throw OrthException.invalid(field, "must be between 1 and %d, or absent for none".formatted(MOST));
        }
    }
}
