package io.orth.admin.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.Binding;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class XxlJobPropertiesTest {

    private static final String PREFIX = "orth.xxl-job";

    @Test
    void hasTheseDefaults() {
        assertThat(Binding.bind(PREFIX, XxlJobProperties.class))
                .isEqualTo(new XxlJobProperties(
                        Duration.ofSeconds(90),
                        8,
                        Duration.ofSeconds(3),
                        Duration.ofSeconds(60),
                        Duration.ofMinutes(10),
                        Duration.ofSeconds(60),
                        Duration.ofDays(7),
                        Duration.ofSeconds(40)));
    }

    @Test
    void everyKeyIsRead() {
        assertThat(Binding.bind(
                        PREFIX,
                        XxlJobProperties.class,
                        "silent-after",
                        "1s",
                        "sends-at-once",
                        "2",
                        "log-every",
                        "3s",
                        "lost-every",
                        "4s",
                        "lost-after",
                        "5s",
                        "idle-gap",
                        "6s",
                        "longest-run",
                        "7s",
                        "kill-grace",
                        "8s"))
                .isEqualTo(new XxlJobProperties(
                        Duration.ofSeconds(1),
                        2,
                        Duration.ofSeconds(3),
                        Duration.ofSeconds(4),
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(6),
                        Duration.ofSeconds(7),
                        Duration.ofSeconds(8)));
    }

    @ParameterizedTest
    @CsvSource({
        "silent-after, 0s",
        "sends-at-once, 0",
        "sends-at-once, 101",
        "log-every, 0s",
        "lost-every, -1s",
        "lost-after, 0s",
        "idle-gap, 0s",
        "longest-run, 9m",
        "kill-grace, -1s"
    })
    void aValueThatCannotWorkNamesItsKey(String key, String value) {
        Binding.assertRefused(PREFIX, XxlJobProperties.class, key, value);
    }
}
