package io.orth.executor.internal.transport;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** How long to rest after failures: a shortest time, doubled each time up to a longest, less up to a quarter of it by chance. */
public final class Backoff {

    private final Duration shortest;
    private final Duration longest;
    private Duration next;

    public Backoff(Duration shortest, Duration longest) {
        this.shortest = shortest;
        this.longest = longest;
        this.next = shortest;
    }

    public Duration next() {
        Duration rest = next;
        Duration doubled = rest.multipliedBy(2);
        next = doubled.compareTo(longest) < 0 ? doubled : longest;
        return rest.minusNanos(ThreadLocalRandom.current().nextLong(rest.toNanos() / 4 + 1));
    }

    public void reset() {
        next = shortest;
    }
}
