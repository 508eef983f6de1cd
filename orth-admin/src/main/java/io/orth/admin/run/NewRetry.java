package io.orth.admin.run;

import java.time.Duration;

/**
 * A retry to be created for a failed run.
 *
 * @param of the failed run
 * @param attempts total number of attempts
 * @param delay delay before the retry may be dispatched
 */
public record NewRetry(long of, int attempts, Duration delay) {}
