package io.orth.admin.alarm;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnore;
import java.time.Instant;

/**
 * A failed run of a pipeline, as channels and webhooks receive it.
 *
 * @param groupId the executor group of the failed stage; null if it is unknown
 * @param message the failed tasks and their errors
 */
public record FailedPipelineRun(
        @JsonFormat(shape = JsonFormat.Shape.STRING) long runId,
        String pipeline,
        @JsonIgnore Integer groupId,
        String message,
        Instant failedAt) {}
