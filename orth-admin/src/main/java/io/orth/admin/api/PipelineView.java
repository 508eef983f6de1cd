package io.orth.admin.api;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.orth.admin.pipeline.Pipeline;
import java.time.Instant;
import java.util.List;

/** A pipeline as it is now. */
record PipelineView(
        String name,
        String description,
        int version,
        boolean paused,
        List<StageView> stages,
        String updatedBy,
        Instant updatedAt) {

    /** A stage as it is in the file, and whether nothing new of it begins. */
    record StageView(@JsonUnwrapped PipelineBody.StageBody stage, boolean paused) {}

    static PipelineView of(Pipeline pipeline) {
        return new PipelineView(
                pipeline.name(),
                pipeline.description(),
                pipeline.version(),
                pipeline.paused(),
                pipeline.stages().stream()
                        .map(stage -> new StageView(
                                PipelineBody.StageBody.of(stage),
                                pipeline.pausedStages().contains(stage.name())))
                        .toList(),
                pipeline.updatedBy(),
                pipeline.updatedAt());
    }
}
