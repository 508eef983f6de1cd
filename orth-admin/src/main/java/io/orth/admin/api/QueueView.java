package io.orth.admin.api;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.orth.admin.queue.Queue;
import io.orth.admin.queue.QueueReports.Figures;
import java.time.Instant;

/**
 * A queue and how it does.
 *
 * @param groupId whose executors work on it; null until a group first does
 * @param groupName null where there is none
 * @param waiting messages to be begun, now or when they are due
 * @param running messages with an executor
 * @param dead messages that were given up
 * @param workers executors that ask for its messages
 * @param nextDue when the first waiting message is due
 * @param oldestSeconds for how long that one has been due; 0 where it is not
 */
record QueueView(
        String name,
        String groupId,
        String groupName,
        boolean paused,
        int maxAttempts,
        BackoffBody backoff,
        Integer rateLimit,
        Integer concurrencyLimit,
        int version,
        Instant createdAt,
        long waiting,
        long running,
        long dead,
        int workers,
        Instant nextDue,
        long oldestSeconds,
        Lately lately) {

    /**
     * What happened of late.
     *
     * @param seconds since how long ago
     */
    record Lately(long seconds, @JsonUnwrapped ActivityView activity) {}

    static QueueView of(Queue queue, String groupName, Figures figures, Instant now) {
        return new QueueView(
                queue.name(),
                queue.groupId() == null ? null : Integer.toString(queue.groupId()),
                groupName,
                queue.paused(),
                queue.maxAttempts(),
                BackoffBody.of(queue.backoff()),
                queue.limits().rate(),
                queue.limits().concurrency(),
                queue.version(),
                queue.createdAt(),
                figures.waiting(),
                figures.running(),
                figures.dead(),
                figures.workers(),
                figures.nextDue(),
                figures.dueFor(now).toSeconds(),
                new Lately(figures.latelyFor().toSeconds(), ActivityView.of(figures.lately())));
    }
}
