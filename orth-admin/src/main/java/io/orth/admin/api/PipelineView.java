package io.orth.admin.api;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.orth.admin.pipeline.Pipeline;
import io.orth.admin.pipeline.Stage;
import java.util.List;

/** Current version of a pipeline in a response. */
record PipelineView(@JsonUnwrapped Pipeline pipeline, List<StageView> stages) {

    /** Stage of a pipeline, and whether it is paused. */
    record StageView(@JsonUnwrapped Stage stage, boolean paused) {}

    static PipelineView of(Pipeline pipeline) {
        return new PipelineView(
                pipeline,
                pipeline.stages().stream()
                        .map(stage ->
                                new StageView(stage, pipeline.pausedStages().contains(stage.name())))
                        .toList());
    }
}
