package io.orth.admin.transition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.protocol.StateTransition;
import io.orth.protocol.TransitionDeduplicator;
import io.orth.protocol.TransitionDeduplicator.Sighting;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Behaviour of every sink. Subclasses define the receiver, how it fails, and the transitions it received. */
@Tag("must-transitions")
@Timeout(60)
public abstract class TransitionSinkConformance {

    protected abstract TransitionSink sink();

    /** Makes the receiver unavailable. */
    protected abstract void goAway() throws Exception;

    protected abstract void comeBack() throws Exception;

    /** All received transitions in order, including duplicates. */
    protected abstract List<StateTransition> received() throws Exception;

    @Test
    void nameIsStableAndFitsLabels() {
        assertThat(sink().name()).matches("[a-z0-9][a-z0-9-]*").isEqualTo(sink().name());
    }

    @Test
    void deliversTransitionsUnchanged() throws Exception {
        List<RelayedTransition> batch = batch(1, 3);

        sink().emit(1, batch);

        assertThat(received()).containsExactlyElementsOf(plain(batch));
    }

    @Test
    void acceptsRepeatedTransitions() throws Exception {
        List<RelayedTransition> batch = batch(1, 3);

        sink().emit(1, batch);
        sink().emit(2, batch);

        assertThat(received()).hasSize(6);
        assertThat(receivedOnce()).containsExactlyElementsOf(plain(batch));
    }

    @Test
    void keepsOrder() throws Exception {
        for (int round = 0; round < 5; round++) {
            sink().emit(1, batch(1 + round * 400, 400));
        }

        assertThat(received()).containsExactlyElementsOf(plain(batch(1, 2_000)));
    }

    @Test
    void acceptsLargestBatch() throws Exception {
        List<RelayedTransition> batch = batch(1, SinkFeeder.MOST_AT_ONCE);

        sink().emit(1, batch);

        assertThat(received()).containsExactlyElementsOf(plain(batch));
    }

    @Test
    void failsWhileReceiverIsUnavailableAndRecovers() throws Exception {
        sink().emit(1, batch(1, 2));
        goAway();
        assertThatThrownBy(() -> sink().emit(1, batch(3, 2))).isNotInstanceOf(InterruptedException.class);
        assertThatThrownBy(() -> sink().emit(1, batch(3, 2))).isNotInstanceOf(InterruptedException.class);

        comeBack();
        sink().emit(1, batch(3, 2));
        sink().emit(1, batch(5, 2));

        assertThat(receivedOnce()).containsExactlyElementsOf(plain(batch(1, 6)));
    }

    /** Stopping interrupts a slow sink: it may fail, but must neither report success falsely nor break. */
    @Test
    void survivesInterruption() throws Exception {
        sink().emit(1, batch(1, 2));
        Thread.currentThread().interrupt();
        boolean taken = emitInterrupted(batch(3, 2));
        boolean stillInterrupted = Thread.interrupted();
        if (taken) {
            assertThat(stillInterrupted)
                    .as("it left the interruption to its caller")
                    .isTrue();
            assertThat(receivedOnce()).containsExactlyElementsOf(plain(batch(1, 4)));
        }

        sink().emit(1, batch(3, 2));
        sink().emit(1, batch(5, 2));

        assertThat(receivedOnce()).containsExactlyElementsOf(plain(batch(1, 6)));
    }

    private boolean emitInterrupted(List<RelayedTransition> batch) throws Exception {
        try {
            sink().emit(1, batch);
            return true;
        } catch (InterruptedException e) {
            return false;
        }
    }

    /** {@code count} transitions of one run, starting with number {@code first}. */
    protected static List<RelayedTransition> batch(int first, int count) {
        return IntStream.range(first, first + count)
                .mapToObj(sequence -> new RelayedTransition(100 + sequence, 0, transition(sequence)))
                .toList();
    }

    private static StateTransition transition(int sequence) {
        return new StateTransition(
                "RUN",
                9_007_199_254_740_993L,
                sequence,
                sequence == 1 ? null : "PENDING",
                "PENDING",
                Instant.parse("2030-01-01T12:00:00.123456Z"),
                sequence == 1 ? null : 17L,
                "TEST",
                new StateTransition.Work(7, "a \"job\"\nof two lines: 作业 \u2028", "handler", 3, null, 5L),
                new StateTransition.Writer("node:1:x", "node", 1, "test", "orth-test"),
                new StateTransition.Executor(4, "i1", "host", 9, "http://10.0.0.1:9999"),
                "trace");
    }

    private static List<StateTransition> plain(List<RelayedTransition> batch) {
        return batch.stream().map(RelayedTransition::transition).toList();
    }

    private Stream<StateTransition> receivedOnce() throws Exception {
        TransitionDeduplicator deduplicator = new TransitionDeduplicator(10);
        return received().stream().filter(one -> deduplicator.look(one) == Sighting.NEW);
    }
}
