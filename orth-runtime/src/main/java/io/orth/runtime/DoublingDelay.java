package io.orth.runtime;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Delay after consecutive failures of work that is retried without limit or a few times in succession: starts at a minimum and doubles
 * with each further failure up to a maximum. Not thread-safe.
 */
public final class DoublingDelay {

    /** Any maximum is reached before this many doublings. */
    private static final int MOST_DOUBLINGS = 30;

    private final Duration shortest;
    private final Duration longest;
    private int failures;

    public DoublingDelay(Duration shortest, Duration longest) {
        this.shortest = shortest;
        this.longest = longest;
    }

    /** @param failures number of consecutive failures, 1 or more */
    public static Duration after(int failures, Duration shortest, Duration longest) {
        Duration rest = shortest.multipliedBy(1L << Math.min(failures - 1, MOST_DOUBLINGS));
        return rest.compareTo(longest) < 0 ? rest : longest;
    }

    /**
     * Returns the delay after one more failure, reduced at random by up to a quarter, so that processes that failed together do not retry
     * together.
     */
    public Duration next() {
        failures = Math.min(failures + 1, MOST_DOUBLINGS);
        Duration rest = after(failures, shortest, longest);
        return rest.minusNanos(ThreadLocalRandom.current().nextLong(rest.toNanos() / 4 + 1));
    }

    public void reset() {
        failures = 0;
    }
}
