package io.orth.admin.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.admin.Binding;
import io.orth.protocol.HeartbeatRule;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RegistryPropertiesTest {

    private static final String PREFIX = "orth.registry";

    @Test
    void hasTheseDefaults() {
        assertThat(Binding.bind(PREFIX, RegistryProperties.class))
                .isEqualTo(new RegistryProperties(
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(15),
                        Duration.ofSeconds(60),
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(20),
                        Duration.ofSeconds(20),
                        Duration.ofMinutes(10),
                        Duration.ofDays(15),
                        Duration.ofHours(24),
                        Duration.ofSeconds(30),
                        Duration.ofDays(7),
                        List.of()));
    }

    @Test
    void everyKeyIsRead() {
        assertThat(Binding.bind(
                        PREFIX,
                        RegistryProperties.class,
                        "heartbeat-interval",
                        "3s",
                        "heartbeat-timeout",
                        "11s",
                        "outage-grace-period",
                        "8s",
                        "sweep-every",
                        "2s",
                        "probe-timeout",
                        "3s",
                        "leftover-grace",
                        "14s",
                        "deregistration-grace-period",
                        "9s",
                        "list-gone",
                        "7m",
                        "keep-gone",
                        "5d",
                        "keep-metrics",
                        "6h",
                        "verify-interval",
                        "8s",
                        "verify-timeout",
                        "4d",
                        "allowed-networks",
                        "10.0.0.0/8,fd00::/8"))
                .isEqualTo(new RegistryProperties(
                        Duration.ofSeconds(3),
                        Duration.ofSeconds(11),
                        Duration.ofSeconds(8),
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(3),
                        Duration.ofSeconds(14),
                        Duration.ofSeconds(9),
                        Duration.ofMinutes(7),
                        Duration.ofDays(5),
                        Duration.ofHours(6),
                        Duration.ofSeconds(8),
                        Duration.ofDays(4),
                        List.of("10.0.0.0/8", "fd00::/8")));
    }

    @ParameterizedTest
    @CsvSource({
        "heartbeat-interval, 0s",
        "heartbeat-interval, 50ms",
        "heartbeat-timeout, 0s",
        "heartbeat-timeout, 9999ms",
        "outage-grace-period, -1s",
        "sweep-every, 0s",
        "probe-timeout, -1s",
        "leftover-grace, 0s",
        "deregistration-grace-period, 0s",
        "list-gone, -1s",
        "keep-gone, 0s",
        "keep-metrics, 0s",
        "verify-interval, 0s",
        "verify-timeout, 60s",
        "allowed-networks, 10.0.0.0/99",
        "allowed-networks, everywhere"
    })
    void aBadValueNamesItsKey(String key, String value) {
        Binding.assertRefused(PREFIX, RegistryProperties.class, key, value);
    }

    @Test
    @Tag("must-kernel")
    void theHeartbeatTimeoutIsThreeIntervalsUnlessSet() {
        HeartbeatRule rule = Binding.bind(PREFIX, RegistryProperties.class, "heartbeat-interval", "20s")
                .heartbeats();

        assertThat(rule).isEqualTo(new HeartbeatRule(Duration.ofSeconds(20), Duration.ofMinutes(1)));
    }

    @Test
    @Tag("must-kernel")
    void leftoverGraceExceedsHeartbeatTimeoutByDefault() {
        assertThat(Binding.bind(PREFIX, RegistryProperties.class, "heartbeat-interval", "20s")
                        .leftoverGrace())
                .isEqualTo(Duration.ofSeconds(65));
    }

    @ParameterizedTest
    @Tag("must-kernel")
    @CsvSource(delimiter = '|', textBlock = """
            leftover-grace | 14s | orth.registry.leftover-grace (PT14S) must not be shorter than orth.registry.heartbeat-timeout (PT15S)
            sweep-every    | 16s | orth.registry.sweep-every (PT16S) must not be longer than orth.registry.heartbeat-timeout (PT15S)
            """)
    void rejectsSettingThatContradictsTheHeartbeatTimeout(String key, String value, String reason) {
        assertThatThrownBy(() -> Binding.bind(PREFIX, RegistryProperties.class, key, value))
                .rootCause()
                .hasMessageStartingWith(reason);
    }

    @Test
    @Tag("must-kernel")
    void rejectsSettingsThatBreakTheRuleWithReason() {
        assertThatThrownBy(() -> Binding.bind(
                        PREFIX, RegistryProperties.class, "heartbeat-interval", "20s", "heartbeat-timeout", "30s"))
                .rootCause()
                .hasMessage(
                        "orth.registry.heartbeat-interval (PT20S) and orth.registry.heartbeat-timeout (PT30S) do not"
                                + " fit: the heartbeat timeout (PT30S) must be at least twice the heartbeat interval (PT20S)");
        assertThatThrownBy(() -> Binding.bind(PREFIX, RegistryProperties.class, "heartbeat-interval", "1s"))
                .rootCause()
                .hasMessageStartingWith("orth.registry.heartbeat-timeout (PT3S) must be at least PT4S longer than"
                        + " orth.registry.heartbeat-interval (PT1S)");
    }
}
