package io.orth.admin.api;

import io.orth.admin.pipeline.Pipeline;
import io.orth.admin.pipeline.Stage;
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
    record StageView(
            String name,
            String handler,
            String queue,
            String webhook,
            int maxAttempts,
            BackoffBody backoff,
            Integer concurrency,
            String tolerance,
            boolean paused) {

        static StageView of(Stage stage, boolean paused) {
            return new StageView(
                    stage.name(),
                    stage.handler(),
                    stage.queue(),
                    stage.webhook(),
                    stage.maxAttempts(),
                    BackoffBody.of(stage.backoff()),
                    stage.concurrency(),
                    stage.tolerance().text(),
                    paused);
        }
    }

    static PipelineView of(Pipeline pipeline) {
        return new PipelineView(
                pipeline.name(),
                pipeline.description(),
                pipeline.version(),
                pipeline.paused(),
                pipeline.stages().stream()
                        .map(stage ->
                                StageView.of(stage, pipeline.pausedStages().contains(stage.name())))
                        .toList(),
                pipeline.updatedBy(),
                pipeline.updatedAt());
    }
}
