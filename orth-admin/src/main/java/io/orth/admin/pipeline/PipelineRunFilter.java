package io.orth.admin.pipeline;

import java.time.Instant;

/** Which runs are wanted, the newest first; what is null does not matter. */
public record PipelineRunFilter(
        String pipeline,
        PipelineRunStatus status,
        String createdBy,
        Instant from,
        Instant to,
        long before,
        int limit) {}
