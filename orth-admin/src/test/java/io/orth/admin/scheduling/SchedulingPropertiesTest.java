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
                .isEqualTo(new SchedulingProperties(1_000, Duration.ofSeconds(1), Duration.ofSeconds(5), 20));
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
                        "catch-up-per-pass",
                        "3"))
                .isEqualTo(new SchedulingProperties(7, Duration.ofSeconds(2), Duration.ZERO, 3));
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
        "catch-up-per-pass, 1001"
    })
    void aBadValueNamesItsKey(String key, String value) {
        Binding.assertRefused(PREFIX, SchedulingProperties.class, key, value);
    }
}
