package io.orth.admin.boot;

import io.orth.admin.kernel.DatabaseTrouble;
import io.orth.admin.kernel.Ticker;
import java.time.Duration;
import java.util.stream.Stream;

/**
 * Whether a start that failed is repeated. It is where the database was there and was lost meanwhile, such as by a failover, and from
 * then on while the database is away, for as long as a failover may take. Each attempt waits for a connection, so they do not follow
 * each other at once. A database that was never reached ends the start.
 */
final class StartAttempts {

    static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Ticker ticker;
    private boolean lost;
    private long lostAt;

    StartAttempts(Ticker ticker) {
        this.ticker = ticker;
    }

    boolean isWorthAnother(RuntimeException failure) {
        if (!DatabaseTrouble.isCauseOf(failure)) {
            return false;
        }
        if (lost) {
            return ticker.nanos() - lostAt < PATIENCE.toNanos();
        }
        lost = !isBeforeTheDatabaseWasReached(failure);
        lostAt = ticker.nanos();
        return lost;
    }

    private static boolean isBeforeTheDatabaseWasReached(RuntimeException failure) {
        return Stream.iterate((Throwable) failure, cause -> cause != null, Throwable::getCause)
                .anyMatch(StartFailure.class::isInstance);
    }
}
