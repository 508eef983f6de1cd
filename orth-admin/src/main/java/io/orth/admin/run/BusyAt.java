package io.orth.admin.run;

/** That an executor has an unfinished run of a job. */
public record BusyAt(int jobId, long executorId) {}
