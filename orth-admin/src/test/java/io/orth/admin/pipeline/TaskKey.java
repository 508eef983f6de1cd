package io.orth.admin.pipeline;

/**
 * A claimed attempt at a task, for tests.
 *
 * @param logId log id of the claimed message that carries the task
 */
public record TaskKey(long taskId, int attempt, long logId) {}
