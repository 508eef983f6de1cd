package io.orth.admin.security;

import java.time.Clock;
import java.time.Duration;
import org.springframework.stereotype.Component;

/**
 * Limit on changing calls without credentials per address. Such calls are rejected, but each leaves an audit row, so without a limit any
 * caller could fill the database.
 */
@Component
public final class AnonymousCalls {

    private static final Strikes.Settings SETTINGS =
            new Strikes.Settings(300, Duration.ofSeconds(1), Duration.ofSeconds(30), Duration.ofMillis(500), 10_000);

    private final Strikes strikes;

    AnonymousCalls(Clock clock) {
        this.strikes = new Strikes(SETTINGS, clock);
    }

    /** Admits a call or throws {@link TooManyTriesException}. */
    public void admit(String address) {
        strikes.admit(LoginThrottle.network(address));
    }
}
