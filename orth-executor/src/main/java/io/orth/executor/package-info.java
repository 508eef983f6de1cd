/**
 * The public API of the executor. {@link io.orth.executor.OrthExecutor} runs {@link io.orth.executor.JobHandler}s for triggered
 * jobs and for queue messages, keeps a log file per run and reports every result.
 *
 * <p>Applications use this package only. Packages below {@code internal} may change at any time.
 */
package io.orth.executor;
