package io.orth.admin.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.kernel.Backoff;
import io.orth.admin.queue.Queue;
import io.orth.admin.queue.QueueSetup;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("must-queues")
class QueueBodyTest {

    private static final Backoff BACKOFF = new Backoff(Duration.ofSeconds(9), 4, Duration.ofHours(7), 0);
    private static final QueueSetup USUAL = new QueueSetup(null, 8, BACKOFF, Queue.Limits.NONE, null);

    @Test
    void missingFieldsTakeDefaults() {
        assertThat(new QueueBody(null, null, null, null, null, null).toSetup(USUAL))
                .isEqualTo(USUAL);
    }

    @Test
    void partialBackoffKeepsDefaults() {
        BackoffBody backoff = new BackoffBody("PT1M", null, null, 0.5);

        assertThat(new QueueBody(null, 2, backoff, 5, null, 3).toSetup(USUAL))
                .isEqualTo(new QueueSetup(
                        null,
                        2,
                        new Backoff(Duration.ofMinutes(1), 4, Duration.ofHours(7), 0.5),
                        new Queue.Limits(5, null),
                        3));
    }
}
