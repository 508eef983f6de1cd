package io.orth.admin.pipeline;

/** A task that was just created. */
record NewTask(long id, String targetType) {}
