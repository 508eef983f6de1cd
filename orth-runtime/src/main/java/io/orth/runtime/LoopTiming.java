package io.orth.runtime;

import java.time.Duration;
import java.util.function.IntFunction;

/**
 * How long a loop rests: between passes, and after failures.
 *
 * @param restAfterFailure from the number of failures in a row, 1 or more; a millisecond at least
 */
public record LoopTiming(Duration interval, IntFunction<Duration> restAfterFailure) {

    private static final Duration SHORTEST_REST = Duration.ofMillis(1);
    private static final int[] USUAL_RESTS = {200, 400, 800, 1_600, 2_000};

    public LoopTiming {
        if (interval.isNegative() || interval.isZero()) {
            throw new IllegalArgumentException("a loop's interval must be positive, got " + interval);
        }
    }

    /** Every {@code interval}; failures back off from 200 ms to 2 s. */
    public static LoopTiming every(Duration interval) {
        return new LoopTiming(
                interval, failures -> Duration.ofMillis(USUAL_RESTS[Math.min(failures, USUAL_RESTS.length) - 1]));
    }

    Duration restAfterFailure(int failuresInARow) {
        Duration rest = restAfterFailure.apply(failuresInARow);
        return rest.compareTo(SHORTEST_REST) < 0 ? SHORTEST_REST : rest;
    }
}
