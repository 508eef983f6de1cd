package io.orth.admin.run;

/**
 * A run of another job, fired by a success.
 *
 * @param parent the run that succeeded
 * @param jobId the job to be run, as it is now
 * @param param null for the job's own
 */
public record NewChild(long parent, int jobId, String param) {}
