package io.orth.admin.boot;

import io.orth.admin.kernel.DatabaseTrouble;
import io.orth.admin.kernel.Ticker;
import java.time.Duration;
import java.util.stream.Stream;

/**
 * Rule for retrying a failed start. The start is retried if the database was reached and then lost, such as by a failover, and from then on
 * for two minutes while the database is unavailable. Each attempt waits for a connection, so attempts do not follow each other immediately.
 * If the database was never reached, the start fails without a retry.
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
