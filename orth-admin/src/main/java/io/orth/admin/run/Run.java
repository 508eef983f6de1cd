package io.orth.admin.run;

import java.time.Instant;

/** One execution of a job. */
public record Run(
        long id,
        int jobId,
        String jobName,
        int groupId,
        String handler,
        String param,
        TriggerType triggerType,
        Instant scheduleTime,
        Instant createdAt,
        RunStatus status,
        RunCause cause,
        int triggerCode,
        String triggerMsg,
        int handleCode,
        String handleMsg,
        int dispatch,
        Long executorId,
        String address,
        Instant triggeredAt,
        Instant finishedAt,
        String traceId) {

    /** The instant that stands in the trigger and picks the log file's day on the executor; it never changes. */
    public long logDateTime() {
        return createdAt.toEpochMilli();
    }
}
