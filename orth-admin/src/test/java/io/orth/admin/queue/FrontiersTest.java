package io.orth.admin.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.queue.Frontiers.Frontier;
import io.orth.admin.queue.MessageRepository.Due;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("must-queues")
class FrontiersTest {

    private static final int QUEUE = 7;
    private static final Instant NOW = Instant.parse("2030-01-01T12:00:00Z");
    private static final Instant LONG_AGO = NOW.minusSeconds(60);

    private long nanos;
    private final Frontiers frontiers = new Frontiers(() -> nanos);

    @Test
    void followsLastClaimedMessage() {
        passed(Frontier.NONE, due(1, LONG_AGO), due(2, LONG_AGO));

        assertThat(frontiers.of(QUEUE)).isEqualTo(new Frontier(2, LONG_AGO, 2));
        assertThat(frontiers.of(8)).isEqualTo(Frontier.NONE);
    }

    @Test
    void resetsWhenClaimIsNotFilled() {
        passed(Frontier.NONE, due(1, LONG_AGO));

        frontiers.passed(QUEUE, Frontier.NONE, List.of(due(2, LONG_AGO)), 2, NOW);

        assertThat(frontiers.of(QUEUE)).isEqualTo(Frontier.NONE);
        frontiers.passed(QUEUE, Frontier.NONE, List.of(), 2, NOW);
        assertThat(frontiers.of(QUEUE)).isEqualTo(Frontier.NONE);
    }

    @Test
    void skipsMessagesThatAreNotSettled() {
        Instant settled = NOW.minus(Frontiers.SETTLED);
        passed(Frontier.NONE, due(1, settled));
        assertThat(frontiers.of(QUEUE).id()).isEqualTo(1);

        passed(frontiers.of(QUEUE), due(2, settled.plusNanos(1_000)));

        assertThat(frontiers.of(QUEUE)).isEqualTo(Frontier.NONE);
    }

    @Test
    void doesNotGoBackAfterConcurrentClaims() {
        passed(Frontier.NONE, due(1, LONG_AGO));
        Frontier both = frontiers.of(QUEUE);

        passed(both, due(4, LONG_AGO));
        passed(both, due(2, LONG_AGO));
        assertThat(frontiers.of(QUEUE).id()).isEqualTo(4);

        passed(both, due(5, LONG_AGO.minusSeconds(1)));
        assertThat(frontiers.of(QUEUE).id()).isEqualTo(4);
    }

    @Test
    void goesBackAfterFullScan() {
        passed(Frontier.NONE, due(4, LONG_AGO));

        passed(Frontier.NONE, due(2, LONG_AGO));

        assertThat(frontiers.of(QUEUE).id()).isEqualTo(2);
    }

    @Test
    void movesToLaneReached() {
        passed(Frontier.NONE, due(4, LONG_AGO));

        passed(frontiers.of(QUEUE), new Due(1, 0, 1, LONG_AGO, 0, 3, LONG_AGO, LONG_AGO, null, 0, null, null));

        assertThat(frontiers.of(QUEUE)).isEqualTo(new Frontier(0, LONG_AGO, 1));
    }

    @Test
    void expiresAfterLastFullScanEvenIfMoved() {
        passed(Frontier.NONE, due(1, LONG_AGO));
        nanos = Frontiers.HOLDS.toNanos() / 2;
        passed(frontiers.of(QUEUE), due(2, LONG_AGO));
        nanos = Frontiers.HOLDS.toNanos();
        assertThat(frontiers.of(QUEUE).id()).isEqualTo(2);

        nanos += 1;
        assertThat(frontiers.of(QUEUE)).isEqualTo(Frontier.NONE);

        passed(Frontier.NONE, due(3, LONG_AGO));
        nanos += Duration.ofMillis(1).toNanos();
        assertThat(frontiers.of(QUEUE).id()).isEqualTo(3);
    }

    @Test
    void staysForgottenDespiteRunningClaim() {
        passed(Frontier.NONE, due(1, LONG_AGO));
        Frontier before = frontiers.of(QUEUE);

        frontiers.forget(QUEUE);
        assertThat(frontiers.of(QUEUE)).isEqualTo(Frontier.NONE);

        passed(before, due(2, LONG_AGO));
        assertThat(frontiers.of(QUEUE)).isEqualTo(Frontier.NONE);
    }

    @Test
    @Timeout(30)
    void runsScansOfOneQueueInTurn() throws Exception {
        List<String> order = new ArrayList<>();
        Thread second = new Thread(() -> frontiers.inTurn(QUEUE, () -> order.add("second")));

        frontiers.inTurn(QUEUE, () -> {
            second.start();
            while (second.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
            frontiers.inTurn(QUEUE + 1, () -> order.add("of another queue"));
            return order.add("first");
        });
        second.join();

        assertThat(order).containsExactly("of another queue", "first", "second");
    }

    /** A claim whose slots are all filled. */
    private void passed(Frontier from, Due... given) {
        frontiers.passed(QUEUE, from, List.of(given), given.length, NOW);
    }

    private static Due due(long id, Instant dueAt) {
        return new Due(id, 2, 1, dueAt, 0, 3, dueAt, dueAt, null, 0, null, null);
    }
}
