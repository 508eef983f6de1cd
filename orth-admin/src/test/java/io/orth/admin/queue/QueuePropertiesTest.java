package io.orth.admin.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.admin.kernel.Backoff;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.util.unit.DataSize;

@Tag("must-queues")
class QueuePropertiesTest {

    private static final DataSize SIZE = DataSize.ofKilobytes(1);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration DAY = Duration.ofDays(1);

    @Test
    void newQueueUsesConfiguredBackoff() {
        assertThat(properties(SIZE, 3, SECOND, 3, Duration.ofSeconds(20), 10, DAY, DAY)
                        .backoff()
                        .toBackoff())
                .isEqualTo(new Backoff(SECOND, 3, Duration.ofSeconds(20), 0));
    }

    @Test
    void aBadValueNamesItsKey() {
        assertRejected("orth.queue.max-payload", DataSize.ofBytes(0), 3, SECOND, 2, DAY, DAY, DAY);
        assertRejected("orth.queue.max-payload", DataSize.ofMegabytes(5), 3, SECOND, 2, DAY, DAY, DAY);
        assertRejected("orth.queue.max-attempts", SIZE, 0, SECOND, 2, DAY, DAY, DAY);
        assertRejected("orth.queue.max-attempts", SIZE, 101, SECOND, 2, DAY, DAY, DAY);
        assertRejected("orth.queue.backoff.initial-delay", SIZE, 3, SECOND.negated(), 2, DAY, DAY, DAY);
        assertRejected("orth.queue.backoff.multiplier", SIZE, 3, SECOND, 0.9, DAY, DAY, DAY);
        assertRejected("orth.queue.backoff.multiplier", SIZE, 3, SECOND, Double.NaN, DAY, DAY, DAY);
        assertThatThrownBy(() ->
                        new QueueProperties(SIZE, 3, new QueueProperties.Delays(SECOND, 2, DAY, 1.1), 10, DAY, DAY))
                .hasMessage("orth.queue.backoff.jitter must be between 0 and 1, got 1.1");
        assertRejected("orth.queue.backoff.max-delay", SIZE, 3, DAY, 2, SECOND, DAY, DAY);
        assertThatThrownBy(() -> properties(SIZE, 3, SECOND, 2, DAY, 0, DAY, DAY))
                .hasMessageContaining("orth.queue.max-queues");
        assertRejected("orth.queue.keep-reports", SIZE, 3, SECOND, 2, DAY, Duration.ZERO, DAY);
        assertRejected("orth.queue.keep-dead", SIZE, 3, SECOND, 2, DAY, DAY, Duration.ZERO);
    }

    private static void assertRejected(
            String key,
            DataSize payload,
            int attempts,
            Duration first,
            double factor,
            Duration most,
            Duration reports,
            Duration dead) {
        assertThatThrownBy(() -> properties(payload, attempts, first, factor, most, 10, reports, dead))
                .hasMessageContaining(key);
    }

    private static QueueProperties properties(
            DataSize payload,
            int attempts,
            Duration first,
            double factor,
            Duration most,
            int queues,
            Duration reports,
            Duration dead) {
        return new QueueProperties(
                payload, attempts, new QueueProperties.Delays(first, factor, most, 0), queues, reports, dead);
    }
}
