package io.orth.admin.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.Binding;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RegistryPropertiesTest {

    private static final String PREFIX = "orth.registry";

    @Test
    void hasTheseDefaults() {
        assertThat(Binding.bind(PREFIX, RegistryProperties.class))
                .isEqualTo(new RegistryProperties(
                        Duration.ofSeconds(15),
                        Duration.ofSeconds(60),
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(20),
                        Duration.ofMinutes(10),
                        Duration.ofDays(15),
                        Duration.ofHours(24),
                        Duration.ofSeconds(30),
                        List.of()));
    }

    @Test
    void everyKeyIsRead() {
        assertThat(Binding.bind(
                        PREFIX,
                        RegistryProperties.class,
                        "silent-after",
                        "1s",
                        "outage-grace-period",
                        "8s",
                        "sweep-every",
                        "2s",
                        "probe-timeout",
                        "3s",
                        "leftover-grace",
                        "4s",
                        "list-gone",
                        "7m",
                        "keep-gone",
                        "5d",
                        "keep-metrics",
                        "6h",
                        "verify-interval",
                        "8s",
                        "allowed-networks",
                        "10.0.0.0/8,fd00::/8"))
                .isEqualTo(new RegistryProperties(
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(8),
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(3),
                        Duration.ofSeconds(4),
                        Duration.ofMinutes(7),
                        Duration.ofDays(5),
                        Duration.ofHours(6),
                        Duration.ofSeconds(8),
                        List.of("10.0.0.0/8", "fd00::/8")));
    }

    @ParameterizedTest
    @CsvSource({
        "silent-after, 0s",
        "outage-grace-period, -1s",
        "sweep-every, 0s",
        "probe-timeout, -1s",
        "leftover-grace, 0s",
        "list-gone, -1s",
        "keep-gone, 0s",
        "keep-metrics, 0s",
        "verify-interval, 0s",
        "allowed-networks, 10.0.0.0/99",
        "allowed-networks, everywhere"
    })
    void aBadValueNamesItsKey(String key, String value) {
        Binding.assertRefused(PREFIX, RegistryProperties.class, key, value);
    }
}
