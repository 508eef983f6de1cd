package io.orth.admin.alarm;

/**
 * A failed run that somebody may have to be told of.
 *
 * @param needless that nobody has: its job is gone, or somebody ended it
 * @param retried whether it has a retry
 */
record FailedRun(long id, int jobId, int groupId, boolean needless, boolean retried) {}
