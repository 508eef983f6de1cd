package io.orth.admin.transition;

import java.time.Instant;

/**
 * Progress of a sink.
 *
 * @param position position up to which the sink has accepted everything
 * @param emitted number of transitions accepted, repetitions included
 * @param dropped number of transitions dropped because the sink did not accept them in time
 * @param failedInRow number of failures since it last accepted transitions
 * @param parkedSince time of the first of consecutive failures; null while the sink works
 * @param usedAt when a relaying node last had the sink configured
 */
public record SinkState(
        String name,
        long position,
        long emitted,
        long dropped,
        long failures,
        int failedInRow,
        Instant parkedSince,
        String lastError,
        Instant emittedAt,
        Instant usedAt) {}
