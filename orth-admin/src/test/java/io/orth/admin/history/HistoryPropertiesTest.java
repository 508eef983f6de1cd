package io.orth.admin.history;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HistoryPropertiesTest {

    private static final Duration MONTH = Duration.ofDays(30);

    @ParameterizedTest
    @ValueSource(longs = {-1, 0, 1_001, 4_294_967_326L})
    void runsAreKeptForOneToAThousandDays(long days) {
        assertThatThrownBy(() -> new HistoryProperties(Duration.ofDays(days), MONTH, MONTH, MONTH))
                .hasMessageContaining("orth.history.keep-runs")
                .hasMessageContaining("between 1 and 1000");
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 0, 10_001, 4_294_967_326L})
    void reportsAreKeptForOneToTenThousandDays(long days) {
        assertThatThrownBy(() -> new HistoryProperties(MONTH, Duration.ofDays(days), MONTH, MONTH))
                .hasMessageContaining("orth.history.keep-reports")
                .hasMessageContaining("between 1 and 10000");
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 0, 1_001, 4_294_967_326L})
    void transitionsAreKeptForOneToAThousandDays(long days) {
        assertThatThrownBy(() -> new HistoryProperties(MONTH, MONTH, Duration.ofDays(days), MONTH))
                .hasMessageContaining("orth.history.keep-transitions")
                .hasMessageContaining("between 1 and 1000");
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 0, 1_001, 4_294_967_326L})
    void messagesAreKeptForOneToAThousandDays(long days) {
        assertThatThrownBy(() -> new HistoryProperties(MONTH, MONTH, MONTH, Duration.ofDays(days)))
                .hasMessageContaining("orth.history.keep-messages")
                .hasMessageContaining("between 1 and 1000");
    }

    @Test
    void acceptsTheLimits() {
        assertThatCode(() -> new HistoryProperties(
                        Duration.ofDays(1), Duration.ofDays(1), Duration.ofDays(1), Duration.ofDays(1)))
                .doesNotThrowAnyException();
        assertThatCode(() -> new HistoryProperties(
                        Duration.ofDays(1_000),
                        Duration.ofDays(10_000),
                        Duration.ofDays(1_000),
                        Duration.ofDays(1_000)))
                .doesNotThrowAnyException();
    }
}
