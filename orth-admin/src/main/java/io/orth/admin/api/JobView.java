package io.orth.admin.api;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.orth.admin.job.ChildJob;
import io.orth.admin.job.Job;
import io.orth.admin.run.Run;
import io.orth.admin.run.RunStatus;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * Job in a response.
 *
 * @param glue null if a handler runs
 * @param children jobs that each success triggers
 * @param parents jobs whose success triggers this one; null in lists
 * @param declaration null if no code declares the job
 */
record JobView(
        @JsonUnwrapped Job job,
        ScheduleBody schedule,
        GlueView glue,
        List<ChildView> children,
        List<JobLink> parents,
        DeclarationView declaration,
        LastRun lastRun) {

    /** Summary of the newest run. */
    record LastRun(long id, RunStatus status, int triggerCode, int handleCode, Instant at) {}

    /** Another job; {@code name} is null if it was deleted. */
    record JobLink(int jobId, String name) {}

    /** Job that a success of this one triggers; {@code name} is null if it was deleted. */
    record ChildView(@JsonUnwrapped ChildJob child, String name) {}

    /**
     * Further data of a view: {@code source} is null in lists, and {@code names} holds the names of children and parents by id. The other
     * components are those of the view.
     */
    record Beside(
            Run lastRun,
            String source,
            List<Integer> parents,
            Map<Integer, String> names,
            DeclarationView declaration) {}

    static JobView of(Job job, Beside beside) {
        Run last = beside.lastRun();
        Map<Integer, String> names = beside.names();
        return new JobView(
                job,
                ScheduleBody.of(job.spec().schedule()),
                GlueView.of(job.spec().execution(), job.sourceVersion(), beside.source()),
                job.spec().after().children().stream()
                        .map(child -> new ChildView(child, names.get(child.jobId())))
                        .toList(),
                beside.parents() == null
                        ? null
                        : beside.parents().stream()
                                .map(id -> new JobLink(id, names.get(id)))
                                .toList(),
                beside.declaration(),
                last == null
                        ? null
                        : new LastRun(
                                last.id(), last.status(), last.triggerCode(), last.handleCode(), last.createdAt()));
    }
}
