package io.orth.admin.api;

import io.orth.admin.queue.Queue;
import io.orth.admin.queue.QueueSetup;

/**
 * Queue settings in a request. Missing fields have the values of a new queue: attempts and backoff as configured, and no limits.
 *
 * @param groupId group whose executors process the queue; if missing, the first group that polls it
 * @param rateLimit messages started per second in the whole cluster
 * @param concurrencyLimit concurrent messages in the whole cluster
 * @param version version that the caller has loaded, to detect concurrent changes
 */
record QueueBody(
        String groupId,
        Integer maxAttempts,
        BackoffBody backoff,
        Integer rateLimit,
        Integer concurrencyLimit,
        Integer version) {

    /** @param usual settings of a new queue */
    QueueSetup toSetup(QueueSetup usual) {
        return new QueueSetup(
                Ids.parseOptionalInt("groupId", groupId),
                maxAttempts == null ? usual.maxAttempts() : maxAttempts,
                BackoffBody.toBackoff(backoff, usual.backoff()),
                new Queue.Limits(rateLimit, concurrencyLimit),
                version);
    }
}
