package io.orth.admin.registry;

import io.orth.protocol.WorkerMetrics;
import java.time.Instant;

/** How an executor did in one minute. */
public record ExecutorSample(Instant at, WorkerMetrics metrics) {}
