package io.orth.admin.alarm;

/**
 * A failed run that may require an alarm.
 *
 * @param needless whether no alarm is due because the job was deleted or the run was ended on purpose
 */
record FailedRun(long id, int jobId, int groupId, boolean needless, boolean retried) {}
