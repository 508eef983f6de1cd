package io.orth.admin.api;

import io.orth.admin.job.Execution;
import io.orth.admin.job.Job;
import io.orth.admin.run.Run;
import java.time.Instant;
import java.util.List;

/**
 * A job as the API shows it.
 *
 * @param handler null where {@code glue} runs
 * @param glue null where a handler runs
 */
record JobView(
        String id,
        String name,
        String groupId,
        String groupName,
        String handler,
        String param,
        ScheduleBody schedule,
        String misfire,
        String blockStrategy,
        int concurrency,
        int timeoutSeconds,
        String routing,
        List<String> addresses,
        GlueView glue,
        boolean enabled,
        String stopReason,
        Instant nextFireAt,
        LastRun lastRun,
        Instant createdAt,
        Instant updatedAt,
        int version) {

    /** The newest run, in short. */
    record LastRun(String id, String status, int triggerCode, int handleCode, Instant at) {}

    /** {@code last} is the job's newest run, null where it has none; {@code source} its source's text, null in lists. */
    static JobView of(Job job, Run last, String source) {
        Execution execution = job.spec().execution();
        return new JobView(
                Integer.toString(job.id()),
                job.spec().name(),
                Integer.toString(job.spec().groupId()),
                job.groupName(),
                job.spec().handler(),
                job.spec().param(),
                ScheduleBody.of(job.spec().schedule()),
                job.spec().misfire().name(),
                execution.block().name(),
                execution.concurrency(),
                execution.timeoutSeconds(),
                job.spec().routing().strategy().name(),
                job.spec().routing().addresses(),
                GlueView.of(execution, job.sourceVersion(), source),
                job.enabled(),
                job.stopReason(),
                job.nextFireAt(),
                last == null
                        ? null
                        : new LastRun(
                                Long.toString(last.id()),
                                last.status().name(),
                                last.triggerCode(),
                                last.handleCode(),
                                last.createdAt()),
                job.createdAt(),
                job.updatedAt(),
                job.version());
    }
}
