package io.orth.admin.run;

import java.time.Instant;

/**
 * A run to be made.
 *
 * @param scheduleTime the planned instant; null unless the type is {@link TriggerType#SCHEDULE}, {@link
 *     TriggerType#MISFIRE} or {@link TriggerType#BACKFILL}
 */
public record NewRun(
        int jobId,
        String jobName,
        int groupId,
        String handler,
        String param,
        TriggerType type,
        Instant scheduleTime,
        String traceId) {}
