package io.orth.admin.alarm;

import java.time.Instant;

/**
 * A failed run of a pipeline.
 *
 * @param groupId whose executors work on the stage that failed; null where none is known
 * @param message which tasks failed, and why
 */
public record FailedPipelineRun(long runId, String pipeline, Integer groupId, String message, Instant failedAt) {}
