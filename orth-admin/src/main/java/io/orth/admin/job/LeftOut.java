package io.orth.admin.job;

/** A range of skipped fires of a job with the reason. */
public record LeftOut(int jobId, DecisionReason reason, Stretch stretch) {}
