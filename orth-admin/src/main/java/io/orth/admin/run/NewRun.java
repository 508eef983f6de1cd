package io.orth.admin.run;

import io.orth.admin.job.Execution;
import io.orth.admin.job.Job;
import java.time.Instant;

/**
 * A run to be created.
 *
 * @param scheduleTime the fire time; null unless the type is {@link TriggerType#SCHEDULE}, {@link TriggerType#MISFIRE} or
 *     {@link TriggerType#BACKFILL}
 * @param sourceVersion version of the job's source to run; null if the job names a handler
 */
public record NewRun(
        int jobId,
        String jobName,
        int groupId,
        String handler,
        String param,
        TriggerType type,
        Instant scheduleTime,
        Execution execution,
        Integer sourceVersion,
        String traceId,
        Route route) {

    /** Returns a run with the job's current settings. */
    public static NewRun of(Job job, String param, TriggerType type, Instant scheduleTime, String traceId) {
        return new NewRun(
                job.id(),
                job.spec().name(),
                job.spec().groupId(),
                job.spec().handler(),
                param,
                type,
                scheduleTime,
                job.spec().execution(),
                job.sourceVersion(),
                traceId,
                Route.of(job.spec().routing(), null));
    }

    public NewRun withRoute(Route other) {
        return new NewRun(
                jobId, jobName, groupId, handler, param, type, scheduleTime, execution, sourceVersion, traceId, other);
    }
}
