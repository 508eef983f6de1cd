package io.orth.admin.transition;

import java.time.Instant;

/**
 * How far a sink has come.
 *
 * @param position it has taken everything up to this
 * @param emitted how many transitions it took, those that came twice counted twice
 * @param dropped how many were given up because it could not take them in time
 * @param failedInRow how often it failed since it last took something
 * @param parkedSince since when it fails; null while it does not
 * @param usedAt when a node that relays last had it among its sinks
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
