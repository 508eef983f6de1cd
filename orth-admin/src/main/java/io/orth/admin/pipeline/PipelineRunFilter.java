package io.orth.admin.pipeline;

import java.time.Instant;
import java.util.Map;

/**
 * Which runs are wanted, the newest first; what is null does not matter.
 *
 * @param meta which all of them have
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
