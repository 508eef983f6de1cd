package io.orth.admin.kernel;

import io.orth.protocol.BackoffMillis;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * Growth of the delay before a further attempt: {@code initialDelay × multiplier^(attempt − 1)}, at most {@code maxDelay}. Durations are
 * truncated to milliseconds, the precision of the database. {@link RetryDecision} computes the delay.
 *
 * @param jitter share of a delay, 0 to 1, by which it is shortened or lengthened at random
 */
public record Backoff(Duration initialDelay, double multiplier, Duration maxDelay, double jitter) {

    private static final Duration LONGEST = Duration.ofDays(30);
    private static final double MAX_MULTIPLIER = 100;

    /** Default for messages and tasks. */
    public static final Backoff DEFAULT = new Backoff(Duration.ofSeconds(1), 2, Duration.ofHours(1), 0);

    public Backoff {
        if (initialDelay.isNegative() || initialDelay.compareTo(LONGEST) > 0) {
            throw OrthException.invalid("backoff.initialDelay", "must be between PT0S and P30D, got " + initialDelay);
        }
        if (!(multiplier >= 1 && multiplier <= MAX_MULTIPLIER)) {
            throw OrthException.invalid("backoff.multiplier", "must be between 1 and 100, got " + multiplier);
        }
        if (maxDelay.compareTo(initialDelay) < 0 || maxDelay.compareTo(LONGEST) > 0) {
            throw OrthException.invalid(
                    "backoff.maxDelay", "must be between backoff.initialDelay and P30D, got " + maxDelay);
        }
        if (!(jitter >= 0 && jitter <= 1)) {
            throw OrthException.invalid("backoff.jitter", "must be between 0 and 1, got " + jitter);
        }
        initialDelay = initialDelay.truncatedTo(ChronoUnit.MILLIS);
        maxDelay = maxDelay.truncatedTo(ChronoUnit.MILLIS);
    }

    /**
     * Returns a copy with the given values; null keeps the current one. If only {@code initialDelay} is given and exceeds
     * {@code maxDelay}, {@code maxDelay} is raised to it.
     */
    public Backoff with(Duration initialDelay, Double multiplier, Duration maxDelay, Double jitter) {
        Duration first = initialDelay == null ? this.initialDelay : initialDelay;
        Duration longest = this.maxDelay.compareTo(first) < 0 ? first : this.maxDelay;
        return new Backoff(
                first,
                multiplier == null ? this.multiplier : multiplier,
                maxDelay == null ? longest : maxDelay,
                jitter == null ? this.jitter : jitter);
    }

    /** Returns a copy with the values from the wire; {@code wire} and each of its fields may be null. */
    public Backoff with(BackoffMillis wire) {
        return wire == null
                ? this
                : with(
                        millis(wire.initialDelayMillis()),
                        wire.multiplier(),
                        millis(wire.maxDelayMillis()),
                        wire.jitter());
    }

    private static Duration millis(Long millis) {
        return millis == null ? null : Duration.ofMillis(millis);
    }

    public BackoffMillis toWire() {
        return new BackoffMillis(initialDelay.toMillis(), multiplier, maxDelay.toMillis(), jitter);
    }

    /** Returns a backoff that doubles each delay, without jitter. */
    public static Backoff doubling(Duration initialDelay, Duration maxDelay) {
        return new Backoff(initialDelay, 2, maxDelay, 0);
    }
}
