/**
 * Dispatches runs to executors and detects runs that cannot be dispatched.
 *
 * <p>{@link io.orth.admin.triggering.TriggerDispatcher} picks an online executor and adds the run to that executor's lane. The lane
 * commits the intent (executor, dispatch number), sends a batch, and records the outcomes. Runs that the executor rejected, or that
 * certainly never reached it, go to the next executor. If it is unclear whether the executor has a run, {@code UnsentRunRescuer} queries
 * the executor. Any node takes over unfinished dispatches once the run's claim has expired, whether the first node is alive or not.
 * {@link io.orth.admin.triggering.RunKiller} kills runs and follows each until it is finished. No network call happens inside a
 * transaction.
 */
package io.orth.admin.triggering;
