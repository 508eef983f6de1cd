package io.orth.admin.boot;

import io.orth.admin.kernel.DatabaseClock.Setback;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

/** Health indicator that reports a database clock that went back. The admin keeps working, so the HTTP status stays 200. */
final class DatabaseClockHealth implements HealthIndicator {

    static final Status BEHIND = new Status("DATABASE_CLOCK_BEHIND", "the database's clock went back");

    private final Supplier<Optional<Setback>> clock;

    DatabaseClockHealth(Supplier<Optional<Setback>> clock) {
        this.clock = clock;
    }

    @Override
    public Health health() {
        return clock.get()
                .map(setback -> Health.status(BEHIND)
                        .withDetail("wentBackByMillis", setback.by().toMillis())
                        .withDetail("behindMillis", setback.left().toMillis())
                        .build())
                .orElseGet(() -> Health.up().build());
    }
}
