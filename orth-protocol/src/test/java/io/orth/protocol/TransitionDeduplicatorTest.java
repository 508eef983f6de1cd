package io.orth.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.protocol.TransitionDeduplicator.Sighting;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class TransitionDeduplicatorTest {

    private final TransitionDeduplicator deduplicator = new TransitionDeduplicator(2);

    @Test
    void firstTransitionOfAnEntityIsNew() {
        assertThat(look("RUN", 1, 7)).isEqualTo(Sighting.NEW);
        assertThat(look("RUN", 1, 8)).isEqualTo(Sighting.NEW);
    }

    @Test
    void recognizesRepeatedTransitionsInAnyOrder() {
        look("RUN", 1, 1);
        look("RUN", 1, 2);
        look("RUN", 1, 3);

        assertThat(look("RUN", 1, 3)).isEqualTo(Sighting.REPEATED);
        assertThat(look("RUN", 1, 1)).isEqualTo(Sighting.REPEATED);
        assertThat(look("RUN", 1, 4)).isEqualTo(Sighting.NEW);
    }

    @Test
    void acceptsTransitionAfterGapOnce() {
        look("RUN", 1, 1);

        assertThat(look("RUN", 1, 3)).isEqualTo(Sighting.AFTER_GAP);
        assertThat(look("RUN", 1, 3)).isEqualTo(Sighting.REPEATED);
        assertThat(look("RUN", 1, 4)).isEqualTo(Sighting.NEW);
    }

    @Test
    void entitiesOfDifferentKindsWithOneNumberAreDifferent() {
        look("RUN", 1, 1);

        assertThat(look("JOB", 1, 1)).isEqualTo(Sighting.NEW);
        assertThat(look("RUN", 1, 1)).isEqualTo(Sighting.REPEATED);
    }

    @Test
    void forgetsLeastRecentlySeenEntity() {
        look("RUN", 1, 1);
        look("RUN", 2, 1);
        look("RUN", 1, 1);
        look("RUN", 3, 1);

        assertThat(look("RUN", 1, 1)).as("a repetition is a sign of life").isEqualTo(Sighting.REPEATED);
        assertThat(look("RUN", 2, 1)).isEqualTo(Sighting.NEW);
    }

    @Test
    void itRemembersAtLeastOne() {
        assertThatThrownBy(() -> new TransitionDeduplicator(0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @Timeout(20)
    void concurrentThreadsAcceptEachTransitionOnce() throws Exception {
        int threads = 4;
        int changes = 2_000;
        TransitionDeduplicator shared = new TransitionDeduplicator(10);
        CountDownLatch start = new CountDownLatch(1);
        Callable<Integer> listener = () -> {
            start.await();
            int taken = 0;
            for (int sequence = 1; sequence <= changes; sequence++) {
                taken += shared.look(transition("RUN", 1, sequence)) == Sighting.NEW ? 1 : 0;
            }
            return taken;
        };
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Future<Integer>> listeners = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                listeners.add(pool.submit(listener));
            }
            start.countDown();
            int taken = 0;
            for (Future<Integer> one : listeners) {
                taken += one.get();
            }
            assertThat(taken).isEqualTo(changes);
        } finally {
            pool.shutdownNow();
        }
    }

    private Sighting look(String kind, long id, int sequence) {
        return deduplicator.look(transition(kind, id, sequence));
    }

    private static StateTransition transition(String kind, long id, int sequence) {
        return new StateTransition(
                kind,
                id,
                sequence,
                "A",
                "B",
                Instant.EPOCH,
                0L,
                "TEST",
                StateTransition.Work.UNKNOWN,
                null,
                null,
                null);
    }
}
