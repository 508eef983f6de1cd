package io.orth.admin.alarm;

import java.time.Instant;
import java.util.List;

/**
 * What a channel is told.
 *
 * @param alarmId names the alarm: who gets the same one twice may drop the second; 0 for a test
 * @param count how many runs it is about, of which {@code runs} has the first ones
 */
record AlarmMessage(long alarmId, String channel, String environment, long count, List<Told> runs) {

    /** A failed run, as it is told; {@code url} is null where it is not known where the console is. */
    record Told(
            long runId,
            int jobId,
            String job,
            String group,
            String status,
            int triggerCode,
            int handleCode,
            int attempt,
            String message,
            Instant finishedAt,
            String url) {}
}
