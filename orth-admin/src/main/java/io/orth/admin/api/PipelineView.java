package io.orth.admin.api;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.orth.admin.pipeline.Pipeline;
import io.orth.admin.pipeline.Stage;
import java.util.List;

/** A pipeline as it is now. */
record PipelineView(@JsonUnwrapped Pipeline pipeline, List<StageView> stages) {

    /** A stage as it is in the file, and whether nothing new of it begins. */
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
