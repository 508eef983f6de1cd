/**
 * Follow-ups of runs. Listeners of run transitions create them in the transaction that finishes the run:
 *
 * <pre>
 *   FAILED, TIMEOUT, TRIGGER_FAILED ──job has retries left──► one retry: INIT, not before its time
 *   SUCCESS ──job has children──► one run of each, once per parent run
 *   SKIPPED ──planned, or fired by another run──► an entry among the job's skipped fires
 * </pre>
 *
 * <p>Runs that were killed or called off are not retried. The retry of a lost run waits at least a grace period, so that the run's own
 * result may still arrive. Unique indexes ensure that each follow-up exists only once, even if this code runs repeatedly.
 */
package io.orth.admin.completion;
