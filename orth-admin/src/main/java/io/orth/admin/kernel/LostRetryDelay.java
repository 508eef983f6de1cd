package io.orth.admin.kernel;

import java.time.Duration;

/**
 * Minimum delay before runs and messages are retried whose executor was declared dead. Until then an executor that was only cut off
 * can come back, report its runs and end its messages.
 */
public record LostRetryDelay(Duration value) {}
