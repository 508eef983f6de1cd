package io.orth.admin.api;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.orth.admin.queue.Queue;
import io.orth.admin.queue.QueueReports.Activity;
import io.orth.admin.queue.QueueReports.Figures;
import java.time.Instant;

/**
 * Queue and its statistics in a response.
 *
 * @param groupName null if the queue has no group
 * @param oldestSeconds how long the first waiting message has been due; 0 if it is not due
 */
record QueueView(
        @JsonUnwrapped Queue queue,
        String groupName,
        @JsonUnwrapped Figures figures,
        long oldestSeconds,
        Lately lately) {

    /**
     * Recent activity.
     *
     * @param seconds length of the period up to now
     */
    record Lately(long seconds, @JsonUnwrapped Activity activity) {}

    static QueueView of(Queue queue, String groupName, Figures figures, Instant now) {
        return new QueueView(
                queue,
                groupName,
                figures,
                figures.dueFor(now).toSeconds(),
                new Lately(figures.latelyFor().toSeconds(), figures.lately()));
    }
}
