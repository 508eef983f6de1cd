package io.orth.admin.api;

import io.orth.admin.queue.Queue;
import io.orth.admin.queue.QueueReports.Activity;
import io.orth.admin.queue.QueueReports.Figures;
import java.time.Duration;
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
     * @param waitMillis how long a message that was claimed had been due, on average; null where there was none
     * @param runMillis how long a handler took, on average; null where there was none
     */
    record Lately(
            long seconds,
            long pushed,
            long claimed,
            long done,
            long failed,
            long dead,
            Long waitMillis,
            Long runMillis) {

        private static Lately of(Activity activity, Duration time) {
            long ended = activity.done() + activity.failed();
            return new Lately(
                    time.toSeconds(),
                    activity.pushed(),
                    activity.claimed(),
                    activity.done(),
                    activity.failed(),
                    activity.dead(),
                    activity.claimed() == 0 ? null : activity.waitMillis() / activity.claimed(),
                    ended == 0 ? null : activity.runMillis() / ended);
        }
    }

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
                Lately.of(figures.lately(), figures.latelyFor()));
    }
}
