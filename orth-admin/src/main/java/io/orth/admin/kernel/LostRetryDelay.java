package io.orth.admin.kernel;

import java.time.Duration;

/** Minimum delay before work of a dead executor is retried. The executor may only be disconnected, and may come back and report. */
public record LostRetryDelay(Duration value) {}
