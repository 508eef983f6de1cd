package io.orth.admin.pipeline;

/**
 * An attempt at a task that an executor has, for tests.
 *
 * @param logId of the claim of the message that carries it
 */
public record TaskKey(long taskId, int attempt, long logId) {}
