package io.orth.admin.api;

import io.orth.admin.job.Execution;
import io.orth.admin.job.Job;
import io.orth.admin.run.Run;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * A job as the API shows it.
 *
 * @param handler null where {@code glue} runs
 * @param glue null where a handler runs
 * @param children jobs that its success fires
 * @param parents jobs whose success fires it; null in lists
 * @param declaration null where no code declares it
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
        String blockScope,
        int concurrency,
        int timeoutSeconds,
        String routing,
        List<String> addresses,
        GlueView glue,
        int maxAttempts,
        BackoffBody backoff,
        List<ChildView> children,
        List<JobLink> parents,
        DeclarationView declaration,
        boolean enabled,
        String stopReason,
        Instant nextFireAt,
        LastRun lastRun,
        Instant createdAt,
        Instant updatedAt,
        int version) {

    /** The newest run, in short. */
    record LastRun(String id, String status, int triggerCode, int handleCode, Instant at) {}

    /** Another job; {@code name} is null where it was deleted. */
    record JobLink(String jobId, String name) {}

    /** A job that this one's success fires; {@code name} is null where it was deleted. */
    record ChildView(String jobId, String name, String pass, String param) {}

    /**
     * What else is known about a job.
     *
     * @param lastRun its newest run; null where it has none
     * @param source its source's text; null in lists
     * @param parents jobs whose success fires it; null in lists
     * @param names the names of its children and parents
     * @param declaration what code declares about it; null where none does
     */
    record Beside(
            Run lastRun,
            String source,
            List<Integer> parents,
            Map<Integer, String> names,
            DeclarationView declaration) {

        Beside(Run lastRun, String source, List<Integer> parents, Map<Integer, String> names) {
            this(lastRun, source, parents, names, null);
        }
    }

    static JobView of(Job job, Beside beside) {
        Run last = beside.lastRun();
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
                execution.scope().name(),
                execution.concurrency(),
                execution.timeoutSeconds(),
                job.spec().routing().strategy().name(),
                job.spec().routing().addresses(),
                GlueView.of(execution, job.sourceVersion(), beside.source()),
                job.spec().after().retry().maxAttempts(),
                BackoffBody.of(job.spec().after().retry().backoff()),
                job.spec().after().children().stream()
                        .map(child -> new ChildView(
                                Integer.toString(child.jobId()),
                                beside.names().get(child.jobId()),
                                child.pass().name(),
                                child.param()))
                        .toList(),
                beside.parents() == null
                        ? null
                        : beside.parents().stream()
                                .map(id -> new JobLink(
                                        Integer.toString(id), beside.names().get(id)))
                                .toList(),
                beside.declaration(),
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
