package io.orth.admin.api;

import io.orth.admin.queue.Queue;
import io.orth.admin.queue.QueueSetup;

/**
 * How a queue is to be set up. What is missing is as for a new queue: attempts and retries as the admin is set up, and no limits.
 *
 * @param groupId whose executors work on it; the first group that asks where it is missing
 * @param rateLimit messages begun in a second, in the whole cluster
 * @param concurrencyLimit messages at once, in the whole cluster
 * @param version the one that was loaded, to be sure that nobody has changed it since
 */
record QueueBody(
        String groupId,
        Integer maxAttempts,
        BackoffBody backoff,
        Integer rateLimit,
        Integer concurrencyLimit,
        Integer version) {

    /** @param usual what a new queue has */
    QueueSetup toSetup(QueueSetup usual) {
        return new QueueSetup(
                Ids.parseOptionalInt("groupId", groupId),
                maxAttempts == null ? usual.maxAttempts() : maxAttempts,
                BackoffBody.toBackoff(backoff, usual.backoff()),
                new Queue.Limits(rateLimit, concurrencyLimit),
                version);
    }
}
