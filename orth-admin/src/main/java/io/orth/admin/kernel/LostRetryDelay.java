package io.orth.admin.kernel;

import java.time.Duration;

/** Minimum delay before work of a dead executor is retried: it may be cut off only, come back and report. */
public record LostRetryDelay(Duration value) {}
