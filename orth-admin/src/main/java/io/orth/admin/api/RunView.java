package io.orth.admin.api;

import io.orth.admin.run.Run;
import java.time.Instant;

/** A run as the API shows it. */
record RunView(
        String id,
        String jobId,
        String jobName,
        String groupId,
        String groupName,
        String handler,
        String param,
        String status,
        int triggerCode,
        int handleCode,
        String triggerMsg,
        String handleMsg,
        String cause,
        String triggerType,
        Instant scheduleTime,
        Instant createdAt,
        Instant triggeredAt,
        Instant finishedAt,
        String executorAddress,
        String traceId) {

    /** {@code groupName} is null where the group is gone. */
    static RunView of(Run run, String groupName) {
        return new RunView(
                Long.toString(run.id()),
                Integer.toString(run.jobId()),
                run.jobName(),
                Integer.toString(run.groupId()),
                groupName,
                run.handler(),
                run.param(),
                run.status().name(),
                run.triggerCode(),
                run.handleCode(),
                run.triggerMsg(),
                run.handleMsg(),
                run.cause().name(),
                run.triggerType().name(),
                run.scheduleTime(),
                run.createdAt(),
                run.triggeredAt(),
                run.finishedAt(),
                run.address(),
                run.traceId());
    }
}
