package io.orth.runtime;

import java.time.Duration;
import java.util.function.IntFunction;

/**
 * Pauses of a loop between passes and after failures.
 *
 * @param restAfterFailure returns the pause for the number of consecutive failures, 1 or more; at least one millisecond
 */
public record LoopTiming(Duration interval, IntFunction<Duration> restAfterFailure) {

    private static final Duration SHORTEST_REST = Duration.ofMillis(1);
    private static final Duration USUAL_REST = Duration.ofMillis(200);
    private static final Duration LONGEST_USUAL_REST = Duration.ofSeconds(2);

    public LoopTiming {
        if (interval.isNegative() || interval.isZero()) {
            throw new IllegalArgumentException("a loop's interval must be positive, got " + interval);
        }
    }

    /** Returns a timing with this interval; pauses after failures grow from 200 ms to 2 s. */
    public static LoopTiming every(Duration interval) {
        return new LoopTiming(interval, failures -> DoublingDelay.after(failures, USUAL_REST, LONGEST_USUAL_REST));
    }

    Duration restAfterFailure(int failuresInARow) {
        Duration rest = restAfterFailure.apply(failuresInARow);
        return rest.compareTo(SHORTEST_REST) < 0 ? SHORTEST_REST : rest;
    }
}
