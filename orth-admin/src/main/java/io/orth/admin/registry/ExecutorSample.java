package io.orth.admin.registry;

import io.orth.protocol.WorkerMetrics;
import java.time.Instant;

/** Metrics of an executor in one minute. */
public record ExecutorSample(Instant at, WorkerMetrics metrics) {}
