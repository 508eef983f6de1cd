package io.orth.admin.api;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.orth.admin.queue.Queue;
import io.orth.admin.queue.QueueReports.Activity;
import io.orth.admin.queue.QueueReports.Figures;
import java.time.Instant;

/**
 * A queue and how it does.
 *
 * @param groupName null where there is none
 * @param oldestSeconds for how long the first waiting message has been due; 0 where it is not
 */
record QueueView(
        @JsonUnwrapped Queue queue,
        String groupName,
        @JsonUnwrapped Figures figures,
        long oldestSeconds,
        Lately lately) {

    /**
     * What happened of late.
     *
     * @param seconds since how long ago
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
