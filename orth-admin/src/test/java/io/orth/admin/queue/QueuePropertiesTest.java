package io.orth.admin.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
    void aNewQueuesRetriesAreAsTheyAreSet() {
        RetryPolicy retry = new QueueProperties(SIZE, 3, SECOND, 3, Duration.ofSeconds(20), 10, DAY, DAY).retry();

        assertThat(retry.delay(1)).isEqualTo(SECOND);
        assertThat(retry.delay(2)).isEqualTo(Duration.ofSeconds(3));
        assertThat(retry.delay(3)).isEqualTo(Duration.ofSeconds(9));
        assertThat(retry.delay(4)).isEqualTo(Duration.ofSeconds(20));
        assertThat(retry.delay(100)).isEqualTo(Duration.ofSeconds(20));
    }

    @Test
    void aBadValueNamesItsKey() {
        refused("orth.queue.max-payload", DataSize.ofBytes(0), 3, SECOND, 2, DAY, DAY, DAY);
        refused("orth.queue.max-payload", DataSize.ofMegabytes(5), 3, SECOND, 2, DAY, DAY, DAY);
        refused("orth.queue.max-attempts", SIZE, 0, SECOND, 2, DAY, DAY, DAY);
        refused("orth.queue.max-attempts", SIZE, 101, SECOND, 2, DAY, DAY, DAY);
        refused("orth.queue.retry-first", SIZE, 3, SECOND.negated(), 2, DAY, DAY, DAY);
        refused("orth.queue.retry-factor", SIZE, 3, SECOND, 0.9, DAY, DAY, DAY);
        refused("orth.queue.retry-factor", SIZE, 3, SECOND, Double.NaN, DAY, DAY, DAY);
        refused("orth.queue.retry-most", SIZE, 3, DAY, 2, SECOND, DAY, DAY);
        assertThatThrownBy(() -> new QueueProperties(SIZE, 3, SECOND, 2, DAY, 0, DAY, DAY))
                .hasMessageContaining("orth.queue.max-queues");
        refused("orth.queue.keep-reports", SIZE, 3, SECOND, 2, DAY, Duration.ZERO, DAY);
        refused("orth.queue.keep-dead", SIZE, 3, SECOND, 2, DAY, DAY, Duration.ZERO);
    }

    private static void refused(
            String key,
            DataSize payload,
            int attempts,
            Duration first,
            double factor,
            Duration most,
            Duration reports,
            Duration dead) {
        assertThatThrownBy(() -> new QueueProperties(payload, attempts, first, factor, most, 10, reports, dead))
                .hasMessageContaining(key);
    }
}
