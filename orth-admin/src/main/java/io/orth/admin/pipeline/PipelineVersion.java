package io.orth.admin.pipeline;

import java.time.Instant;
import java.util.List;

/** A stored version of a pipeline definition. */
public record PipelineVersion(
        int version, String description, List<Stage> stages, String createdBy, Instant createdAt) {

    public PipelineVersion {
        stages = List.copyOf(stages);
    }
}
