package io.orth.admin.kernel;

import java.time.Duration;

/** How long a loop rests: between passes, and after failures (doubling from the first to the longest). */
public record LoopTiming(Duration interval, Duration firstBackoff, Duration longestBackoff) {

    private static final int MOST_DOUBLINGS = 20;

    public LoopTiming {
        if (interval.isNegative() || interval.isZero()) {
            throw new IllegalArgumentException("a loop's interval must be positive, got " + interval);
        }
        if (firstBackoff.isNegative() || firstBackoff.isZero() || longestBackoff.compareTo(firstBackoff) < 0) {
            throw new IllegalArgumentException("a loop's backoff must grow from a positive time, got %s to %s"
                    .formatted(firstBackoff, longestBackoff));
        }
    }

    /** Every {@code interval}; failures back off from 200 ms to 2 s. */
    public static LoopTiming every(Duration interval) {
        return new LoopTiming(interval, Duration.ofMillis(200), Duration.ofSeconds(2));
    }

    Duration restAfterFailure(int failuresInARow) {
        Duration rest = firstBackoff.multipliedBy(1L << Math.min(failuresInARow - 1, MOST_DOUBLINGS));
        return rest.compareTo(longestBackoff) > 0 ? longestBackoff : rest;
    }
}
