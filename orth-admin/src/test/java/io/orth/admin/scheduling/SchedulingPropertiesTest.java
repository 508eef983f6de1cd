package io.orth.admin.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.Binding;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SchedulingPropertiesTest {

    private static final String PREFIX = "orth.scheduling";

    @Test
    void hasTheseDefaults() {
        assertThat(Binding.bind(PREFIX, SchedulingProperties.class))
                .isEqualTo(new SchedulingProperties(
                        1_000,
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(5),
                        100,
                        20,
                        1_000,
                        Duration.ofDays(30),
                        new SchedulingProperties.Backfill(100, Duration.ofDays(7))));
    }

    @Test
    void everyKeyIsRead() {
        assertThat(Binding.bind(
                        PREFIX,
                        SchedulingProperties.class,
                        "batch-size",
                        "7",
                        "look-every",
                        "2s",
                        "misfire-after",
                        "0s",
                        "backlog-batch-size",
                        "8",
                        "catch-up-per-pass",
                        "3",
                        "catch-up-at-most",
                        "9",
                        "keep-decisions",
                        "1h",
                        "backfill.most-runs",
                        "10",
                        "backfill.longest",
                        "1d"))
                .isEqualTo(new SchedulingProperties(
                        7,
                        Duration.ofSeconds(2),
                        Duration.ZERO,
                        8,
                        3,
                        9,
                        Duration.ofHours(1),
                        new SchedulingProperties.Backfill(10, Duration.ofDays(1))));
    }

    @ParameterizedTest
    @CsvSource({
        "batch-size, 0",
        "batch-size, 2501",
        "batch-size, 10001",
        "look-every, 0s",
        "look-every, -1s",
        "misfire-after, -1s",
        "catch-up-per-pass, 0",
        "catch-up-per-pass, 1001",
        "backlog-batch-size, 0",
        "backlog-batch-size, 10001",
        "backlog-batch-size, 2501",
        "catch-up-at-most, 0",
        "catch-up-at-most, 1000001",
        "keep-decisions, 0s",
        "backfill.most-runs, 0",
        "backfill.most-runs, 10001",
        "backfill.longest, 0s"
    })
    void aBadValueNamesItsKey(String key, String value) {
        Binding.assertRefused(PREFIX, SchedulingProperties.class, key, value);
    }
}
