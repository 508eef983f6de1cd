package io.orth.admin.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.queue.Queue;
import io.orth.admin.queue.QueueSetup;
import io.orth.admin.queue.RetryPolicy;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("must-queues")
class QueueBodyTest {

    private static final RetryPolicy RETRY = new RetryPolicy(Duration.ofSeconds(9), 4, Duration.ofHours(7));
    private static final QueueSetup USUAL = new QueueSetup(null, 8, RETRY, Queue.Limits.NONE, null);

    @Test
    void whatIsMissingIsAsForANewQueue() {
        assertThat(new QueueBody(null, null, null, null, null, null).toSetup(USUAL))
                .isEqualTo(USUAL);
    }

    @Test
    void aRetryOfWhichAPartIsMissingHasTheUsualOne() {
        MessageBody.Retry retry = new MessageBody.Retry("PT1M", null, null);

        assertThat(new QueueBody(null, 2, retry, 5, null, 3).toSetup(USUAL))
                .isEqualTo(new QueueSetup(
                        null,
                        2,
                        new RetryPolicy(Duration.ofMinutes(1), 4, Duration.ofHours(7)),
                        new Queue.Limits(5, null),
                        3));
    }
}
