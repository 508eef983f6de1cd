package io.orth.admin.alarm;

/**
 * A failed run for which an alarm may be due.
 *
 * @param needless whether no alarm is due: its job was deleted, or it was ended on purpose
 */
record FailedRun(long id, int jobId, int groupId, boolean needless, boolean retried) {}
