package io.orth.admin.job;

import io.orth.admin.kernel.OrthException;
import java.time.Duration;

/**
 * How often a failed run is repeated, and when: the wait doubles from {@code backoff} up to {@code longest}.
 *
 * @param retries how many times at most, after the first attempt
 */
public record RetryPolicy(int retries, Duration backoff, Duration longest) {

    private static final int MOST_RETRIES = 100;
    private static final Duration LONGEST = Duration.ofDays(1);
    private static final int MOST_DOUBLINGS = 30;

    public static final RetryPolicy NEVER = new RetryPolicy(0, Duration.ofSeconds(10), Duration.ofHours(1));

    public RetryPolicy {
        if (retries < 0 || retries > MOST_RETRIES) {
            throw OrthException.invalid("retry.retries", "must be between 0 (none) and %d".formatted(MOST_RETRIES));
        }
        checkWait("retry.backoff", backoff);
        checkWait("retry.longest", longest);
        if (longest.compareTo(backoff) < 0) {
            throw OrthException.invalid("retry.longest", "must not be shorter than retry.backoff");
        }
    }

    private static void checkWait(String field, Duration wait) {
        if (wait.isNegative() || wait.compareTo(LONGEST) > 0) {
            throw OrthException.invalid(field, "must be between PT0S and PT24H");
        }
    }

    /** How long to wait after the attempt of that number, counted from 1, has failed. */
    public Duration waitAfter(int attempt) {
        int doublings = Math.min(attempt - 1, MOST_DOUBLINGS);
        Duration wait = backoff.multipliedBy(1L << doublings);
        return wait.compareTo(longest) < 0 ? wait : longest;
    }

    /** How many attempts there are in all. */
    public int attempts() {
        return retries + 1;
    }
}
