package io.orth.admin.api;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.orth.admin.pipeline.PipelineRun;
import io.orth.admin.pipeline.PipelineTask;
import io.orth.admin.pipeline.Stage;

/**
 * Task of a pipeline run in a response.
 *
 * @param parentJobId task that proposed this one; null in the first stage
 */
record PipelineTaskView(
        @JsonUnwrapped PipelineTask task,
        long rootJobId,
        Long parentJobId,
        String pipeline,
        String stage,
        String queue) {

    static PipelineTaskView of(PipelineTask task, PipelineRun run) {
        Stage stage = run.stages().get(task.stage());
        return new PipelineTaskView(task, task.rootId(), task.parentId(), run.pipeline(), stage.name(), stage.queue());
    }
}
