package io.orth.admin.run;

import java.time.Duration;

/**
 * A failed run to be repeated.
 *
 * @param of the run that failed
 * @param attempts how many attempts there are to be in all
 * @param delay how long it is not to be sent
 */
public record NewRetry(long of, int attempts, Duration delay) {}
