/**
 * The executor as applications use it: {@link io.orth.executor.OrthExecutor} runs
 * {@link io.orth.executor.JobHandler}s that an admin triggers or for messages of queues, keeps a log file per run and reports
 * every result.
 *
 * <p>Only this package is meant for applications; everything below {@code internal} may change at any time.
 */
package io.orth.executor;
