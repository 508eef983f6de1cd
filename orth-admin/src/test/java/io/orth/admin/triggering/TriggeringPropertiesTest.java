package io.orth.admin.triggering;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.Binding;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TriggeringPropertiesTest {

    private static final String PREFIX = "orth.triggering";

    @Test
    void hasTheseDefaults() {
        assertThat(Binding.bind(PREFIX, TriggeringProperties.class))
                .isEqualTo(new TriggeringProperties(
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(1),
                        500,
                        20_000,
                        64,
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(30),
                        5,
                        Duration.ofMinutes(2)));
    }

    @Test
    void everyKeyIsRead() {
        assertThat(Binding.bind(
                        PREFIX,
                        TriggeringProperties.class,
                        "claim",
                        "9s",
                        "rescue-every",
                        "2s",
                        "batch-size",
                        "3",
                        "queue-capacity",
                        "4",
                        "senders-at-once",
                        "5",
                        "connect-timeout",
                        "6s",
                        "send-timeout",
                        "7s",
                        "wait-for-executor",
                        "0s",
                        "most-tries",
                        "6",
                        "give-up-after",
                        "1m"))
                .isEqualTo(new TriggeringProperties(
                        Duration.ofSeconds(9),
                        Duration.ofSeconds(2),
                        3,
                        4,
                        5,
                        Duration.ofSeconds(6),
                        Duration.ofSeconds(7),
                        Duration.ZERO,
                        6,
                        Duration.ofMinutes(1)));
    }

    @ParameterizedTest
    @CsvSource({
        "claim, 0s",
        "claim, 5s",
        "rescue-every, 0s",
        "batch-size, 0",
        "batch-size, 1001",
        "queue-capacity, 0",
        "senders-at-once, 0",
        "connect-timeout, 0s",
        "send-timeout, -1s",
        "send-timeout, 10s",
        "wait-for-executor, -1s",
        "most-tries, 0",
        "give-up-after, 0s"
    })
    void aBadValueNamesItsKey(String key, String value) {
        Binding.assertRefused(PREFIX, TriggeringProperties.class, key, value);
    }
}
