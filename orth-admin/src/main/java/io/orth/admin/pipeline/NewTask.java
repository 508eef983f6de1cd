package io.orth.admin.pipeline;

/** A task that was just made. */
record NewTask(long id, String targetType) {}
