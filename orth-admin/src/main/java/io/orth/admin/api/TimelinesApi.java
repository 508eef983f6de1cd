package io.orth.admin.api;

import io.orth.admin.job.Jobs;
import io.orth.admin.kernel.EntityKind;
import io.orth.admin.pipeline.PipelineRuns;
import io.orth.admin.pipeline.PipelineTasks;
import io.orth.admin.queue.QueueReader;
import io.orth.admin.queue.Queues;
import io.orth.admin.registry.Executors;
import io.orth.admin.run.Runs;
import io.orth.admin.security.Access;
import io.orth.admin.security.Role;
import io.orth.admin.transition.TransitionJournal;
import io.orth.protocol.StateTransition;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Endpoints for the state transitions of runs, jobs, executors, messages, pipeline runs and pipeline tasks, oldest first. */
@RestController
class TimelinesApi {

    private final TransitionJournal journal;
    private final Runs runs;
    private final Jobs jobs;
    private final Executors executors;
    private final Queues queues;
    private final QueueReader messages;
    private final PipelineRuns pipelineRuns;
    private final PipelineTasks pipelineTasks;

    TimelinesApi(
            TransitionJournal journal,
            Runs runs,
            Jobs jobs,
            Executors executors,
            Queues queues,
            QueueReader messages,
            PipelineRuns pipelineRuns,
            PipelineTasks pipelineTasks) {
        this.journal = journal;
        this.runs = runs;
        this.jobs = jobs;
        this.executors = executors;
        this.queues = queues;
        this.messages = messages;
        this.pipelineRuns = pipelineRuns;
        this.pipelineTasks = pipelineTasks;
    }

    @GetMapping("/api/runs/{id}/transitions")
    @Access(Role.VIEWER)
    Page<StateTransition> ofRun(@PathVariable String id) {
        return timeline(EntityKind.RUN, runs.get(Ids.parseLong("id", id)).id());
    }

    /** Returns the transitions of a job, even if it was deleted. */
    @GetMapping("/api/jobs/{id}/transitions")
    @Access(Role.VIEWER)
    Page<StateTransition> ofJob(@PathVariable String id) {
        int job = Ids.parseInt("id", id);
        Page<StateTransition> timeline = timeline(EntityKind.JOB, job);
        return timeline.items().isEmpty()
                ? timeline(EntityKind.JOB, jobs.get(job).id())
                : timeline;
    }

    @GetMapping("/api/executors/{id}/transitions")
    @Access(Role.VIEWER)
    Page<StateTransition> ofExecutor(@PathVariable String id) {
        return timeline(EntityKind.EXECUTOR, executors.get(id).id());
    }

    @GetMapping("/api/queues/{queue}/messages/{id}/transitions")
    @Access(Role.VIEWER)
    Page<StateTransition> ofMessage(@PathVariable String queue, @PathVariable String id) {
        long message = messages.get(queues.get(queue), Ids.parseLong("id", id)).id();
        return timeline(EntityKind.MESSAGE, message);
    }

    @GetMapping("/api/pipeline-runs/{id}/transitions")
    @Access(Role.VIEWER)
    Page<StateTransition> ofPipelineRun(@PathVariable String id) {
        return timeline(
                EntityKind.PIPELINE_RUN,
                pipelineRuns.get(Ids.parseLong("id", id)).id());
    }

    @GetMapping("/api/pipeline-tasks/{id}/transitions")
    @Access(Role.VIEWER)
    Page<StateTransition> ofPipelineTask(@PathVariable String id) {
        return timeline(
                EntityKind.PIPELINE_TASK,
                pipelineTasks.get(Ids.parseLong("id", id)).id());
    }

    private Page<StateTransition> timeline(EntityKind kind, long id) {
        return new Page<>(journal.list(kind, id), null);
    }
}
