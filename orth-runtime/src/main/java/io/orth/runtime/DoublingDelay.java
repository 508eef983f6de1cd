package io.orth.runtime;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How long to rest after failures in a row of something that is tried without end or a few times at once: a shortest time, doubled
 * with each further failure up to a longest. Used by one thread.
 */
public final class DoublingDelay {

    /** Any longest rest is reached before. */
    private static final int MOST_DOUBLINGS = 30;

    private final Duration shortest;
    private final Duration longest;
    private int failures;

    public DoublingDelay(Duration shortest, Duration longest) {
        this.shortest = shortest;
        this.longest = longest;
    }

    /** @param failures how many there were in a row, 1 or more */
    public static Duration after(int failures, Duration shortest, Duration longest) {
        Duration rest = shortest.multipliedBy(1L << Math.min(failures - 1, MOST_DOUBLINGS));
        return rest.compareTo(longest) < 0 ? rest : longest;
    }

    /** After one more failure: less up to a quarter by chance, so that those who failed together do not try together. */
    public Duration next() {
        failures = Math.min(failures + 1, MOST_DOUBLINGS);
        Duration rest = after(failures, shortest, longest);
        return rest.minusNanos(ThreadLocalRandom.current().nextLong(rest.toNanos() / 4 + 1));
    }

    public void reset() {
        failures = 0;
    }
}
