package io.orth.admin.queue;

import io.orth.admin.kernel.OrthException;

/**
 * How a queue is to be set up.
 *
 * @param groupId whose executors work on it; null for the first that asks
 * @param version the one that this is a change of; null where that does not matter
 */
public record QueueSetup(Integer groupId, int maxAttempts, RetryPolicy retry, Queue.Limits limits, Integer version) {

    private static final int MOST = 1_000_000;

    public QueueSetup {
        if (maxAttempts < 1 || maxAttempts > MessageSpec.MOST_ATTEMPTS) {
            throw OrthException.invalid("maxAttempts", "must be between 1 and " + MessageSpec.MOST_ATTEMPTS);
        }
        checkLimit("rateLimit", limits.rate());
        checkLimit("concurrencyLimit", limits.concurrency());
    }

    private static void checkLimit(String field, Integer limit) {
        if (limit != null && (limit < 1 || limit > MOST)) {
            throw OrthException.invalid(field, "must be between 1 and %d, or absent for none".formatted(MOST));
        }
    }

    Queue of(Queue before) {
        return new Queue(
                before.id(),
                before.name(),
                groupId,
                before.paused(),
                maxAttempts,
                retry,
                limits,
                before.version(),
                before.createdAt());
    }
}
