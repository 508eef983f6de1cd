package io.orth.client;

import java.time.Duration;

/** How long after a failed attempt the next one follows: {@code first × factor^(attempt − 1)}, at most {@code most}. */
public record Retry(Duration first, double factor, Duration most) {

    private static final Duration LONGEST = Duration.ofDays(30);
    private static final double STEEPEST = 100;

    public Retry {
        Checks.that(!first.isNegative() && first.compareTo(LONGEST) <= 0, "retry.first must be between 0 and 30 days");
        Checks.that(factor >= 1 && factor <= STEEPEST, "retry.factor must be between 1 and 100");
        Checks.that(
                most.compareTo(first) >= 0 && most.compareTo(LONGEST) <= 0,
                "retry.most must be between the first delay and 30 days");
    }

    /** Always after the same time. */
    public static Retry every(Duration delay) {
        return new Retry(delay, 1, delay);
    }
}
