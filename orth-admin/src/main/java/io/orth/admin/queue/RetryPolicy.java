package io.orth.admin.queue;

import io.orth.admin.kernel.OrthException;
import io.orth.protocol.MessageResult;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * How long after a failed attempt the next one follows: {@code first × factor^(attempt − 1)}, at most {@code most}. To the
 * millisecond, which is how it is kept.
 */
public record RetryPolicy(Duration first, double factor, Duration most) {

    private static final Duration LONGEST = Duration.ofDays(30);
    private static final double STEEPEST = 100;

    public static final RetryPolicy DEFAULT = new RetryPolicy(Duration.ofSeconds(1), 2, Duration.ofHours(1));

    public RetryPolicy {
        if (first.isNegative() || first.compareTo(LONGEST) > 0) {
            throw OrthException.invalid("retry.first", "must be between 0 and 30 days");
        }
        if (!(factor >= 1 && factor <= STEEPEST)) {
            throw OrthException.invalid("retry.factor", "must be between 1 and 100");
        }
        if (most.compareTo(first) < 0 || most.compareTo(LONGEST) > 0) {
            throw OrthException.invalid("retry.most", "must be between the first delay and 30 days");
        }
        first = first.truncatedTo(ChronoUnit.MILLIS);
        most = most.truncatedTo(ChronoUnit.MILLIS);
    }

    /** A delay that a handler wished for, as far as it makes sense. */
    static Duration bounded(long millis) {
        return Duration.ofMillis(Math.max(0, Math.min(millis, MessageResult.LONGEST_RETRY_AFTER.toMillis())));
    }

    /** @param attempt the one that failed, from 1 */
    public Duration delay(int attempt) {
        double millis = first.toMillis() * Math.pow(factor, attempt - 1);
        return millis >= most.toMillis() ? most : Duration.ofMillis((long) millis);
    }
}
