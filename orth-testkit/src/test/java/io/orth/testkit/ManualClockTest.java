package io.orth.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

class ManualClockTest {

    private final ManualClock clock = ManualClock.at("2030-01-01T12:00:00Z");

    @Test
    void standsStillUntilItIsMoved() {
        assertThat(clock.instant()).isEqualTo(Instant.parse("2030-01-01T12:00:00Z"));
        assertThat(clock.instant()).isEqualTo(Instant.parse("2030-01-01T12:00:00Z"));

        clock.advance(Duration.ofMillis(1_500));

        assertThat(clock.instant()).isEqualTo(Instant.parse("2030-01-01T12:00:01.500Z"));
    }

    @Test
    void itsTickerMovesWithIt() {
        LongSupplier ticker = clock.ticker();
        long before = ticker.getAsLong();

        clock.advance(Duration.ofSeconds(2));

        assertThat(ticker.getAsLong() - before).isEqualTo(2_000_000_000L);
    }
}
