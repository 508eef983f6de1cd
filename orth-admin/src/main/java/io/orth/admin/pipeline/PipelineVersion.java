package io.orth.admin.pipeline;

import java.time.Instant;
import java.util.List;

/** What a pipeline was at some time. */
public record PipelineVersion(
        int version, String description, List<Stage> stages, String createdBy, Instant createdAt) {

    public PipelineVersion {
        stages = List.copyOf(stages);
    }
}
