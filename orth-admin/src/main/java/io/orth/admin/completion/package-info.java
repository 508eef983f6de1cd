/**
 * What follows a run, decided in the transaction that ended it by listeners of its transitions:
 *
 * <pre>
 *   FAILED, TIMEOUT, TRIGGER_FAILED ──job has retries left──► one retry: INIT, not before its time
 *   SUCCESS ──job has children──► one run of each, once per parent run
 *   SKIPPED ──planned, or fired by another run──► an entry among the job's skipped fires
 * </pre>
 *
 * <p>What somebody killed or called off is not retried. The retry of a run judged lost waits at least a grace time, so that the
 * run's own result may still come. That each exists once is held by unique indexes, not by this code's being called once.
 */
package io.orth.admin.completion;
