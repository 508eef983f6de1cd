package io.orth.admin.run;

/** An executor with an unfinished run of a job. */
public record BusyAt(int jobId, long executorId) {}
