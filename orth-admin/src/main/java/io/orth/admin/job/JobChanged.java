package io.orth.admin.job;

/** Event: a job was created or changed and may be due earlier than known. */
public record JobChanged(int jobId) {}
