package io.orth.admin.api;

import io.orth.admin.queue.QueueReports.Activity;

/**
 * What happened in a queue.
 *
 * @param waitMillis how long a message that was claimed had been due, on average; null where there was none
 * @param runMillis how long a handler took, on average; null where there was none
 */
record ActivityView(long pushed, long claimed, long done, long failed, long dead, Long waitMillis, Long runMillis) {

    static ActivityView of(Activity activity) {
        long ended = activity.done() + activity.failed();
        return new ActivityView(
                activity.pushed(),
                activity.claimed(),
                activity.done(),
                activity.failed(),
                activity.dead(),
                activity.claimed() == 0 ? null : activity.waitMillis() / activity.claimed(),
                ended == 0 ? null : activity.runMillis() / ended);
    }
}
