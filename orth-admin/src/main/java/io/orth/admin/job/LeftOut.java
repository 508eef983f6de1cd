package io.orth.admin.job;

/** A stretch of planned fires of a job that are not to become runs. */
public record LeftOut(int jobId, DecisionReason reason, Stretch stretch) {}
