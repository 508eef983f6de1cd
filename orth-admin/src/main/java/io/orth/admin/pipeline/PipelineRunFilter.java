package io.orth.admin.pipeline;

import java.time.Instant;
import java.util.Map;

/**
 * Filter of a run list, newest first. Null values match any run.
 *
 * @param meta the entries that a matching run has
 */
public record PipelineRunFilter(
        String pipeline,
        PipelineRunStatus status,
        String createdBy,
        Instant from,
        Instant to,
        Map<String, String> meta,
        long before,
        int limit) {

    public PipelineRunFilter {
        meta = Map.copyOf(meta);
        Target.checkMeta(meta);
    }
}
