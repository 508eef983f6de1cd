package io.orth.admin.queuealert;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.Binding;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QueueAlertPropertiesTest {

    private static final String PREFIX = "orth.queue-alerts";

    @Test
    void hasTheseDefaults() {
        assertThat(Binding.bind(PREFIX, QueueAlertProperties.class))
                .isEqualTo(new QueueAlertProperties(Duration.ofSeconds(5), Duration.ofDays(30)));
    }

    @Test
    void everyKeyIsRead() {
        assertThat(Binding.bind(PREFIX, QueueAlertProperties.class, "check-every", "1s", "keep", "2d"))
                .isEqualTo(new QueueAlertProperties(Duration.ofSeconds(1), Duration.ofDays(2)));
    }

    @ParameterizedTest
    @CsvSource({"check-every, 0s", "keep, -1s"})
    void aBadValueNamesItsKey(String key, String value) {
        Binding.assertRefused(PREFIX, QueueAlertProperties.class, key, value);
    }
}
