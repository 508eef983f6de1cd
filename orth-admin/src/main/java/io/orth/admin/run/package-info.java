/**
 * Executions of jobs. A run's status always agrees with its two codes:
 *
 * <pre>
 *   INIT 0/0 ──accepted──► PENDING 200/0 ──► SUCCESS 200/200
 *      │                       │        ├──► FAILED  200/other   (also: result lost)
 *      │                       │        └──► TIMEOUT 200/502
 *      ├──job busy───────► SKIPPED 409/0
 *      └──no executor──► TRIGGER_FAILED other/0
 * </pre>
 *
 * <p>A killed run takes the same edges, with the cause KILLED: TRIGGER_FAILED if undispatched, FAILED if dispatched
 * ({@link io.orth.admin.run.RunKills}).
 *
 * <p>A result that overtakes the recording of its own trigger takes a run from INIT through PENDING in one transaction. The corrections
 * of FAILED are for runs declared lost: the run's own late result counts once, as long as its retry has not been dispatched
 * ({@link io.orth.admin.run.LateResults}). {@link io.orth.admin.run.RunLifecycle} is the only writer of a status, and journals each
 * change in the same transaction.
 */
package io.orth.admin.run;
