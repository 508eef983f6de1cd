package io.orth.admin.api;

import io.orth.admin.queue.Queue;
import io.orth.admin.queue.QueueSetup;
import io.orth.admin.queue.RetryPolicy;

/**
 * How a queue is to be set up. What is missing gets its default: no limits, three attempts.
 *
 * @param groupId whose executors work on it; the first group that asks where it is missing
 * @param rateLimit messages begun in a second, in the whole cluster
 * @param concurrencyLimit messages at once, in the whole cluster
 * @param version the one that was loaded, to be sure that nobody has changed it since
 */
record QueueBody(
        String groupId,
        Integer maxAttempts,
        MessageBody.Retry retry,
        Integer rateLimit,
        Integer concurrencyLimit,
        Integer version) {

    private static final int USUAL_ATTEMPTS = 3;

    QueueSetup toSetup() {
        return new QueueSetup(
                Ids.parseOptionalInt("groupId", groupId),
                maxAttempts == null ? USUAL_ATTEMPTS : maxAttempts,
                retry == null ? RetryPolicy.DEFAULT : retry.toPolicy(),
                new Queue.Limits(rateLimit, concurrencyLimit),
                version);
    }
}
