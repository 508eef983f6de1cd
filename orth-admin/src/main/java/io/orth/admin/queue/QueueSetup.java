package io.orth.admin.queue;

import io.orth.admin.kernel.Backoff;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.RetryPolicy;

/**
 * How a queue is to be set up.
 *
 * @param groupId whose executors work on it; null for the first that asks
 * @param version the one that this is a change of; null where that does not matter
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
