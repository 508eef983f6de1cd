package io.orth.admin.job;

/** A job was made or changed; it may be due earlier than anyone thought. */
public record JobChanged(int jobId) {}
