package io.orth.executor.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.orth.executor.internal.queue.MessageLedger.Errand;
import io.orth.protocol.ClaimedMessage;
import io.orth.protocol.MessageResult;
import java.time.Duration;
import java.util.AbstractCollection;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("must-queues")
@Timeout(30)
class MessageLedgerTest {

    private static final int ALL = 500;

    private final MessageLedger ledger = new MessageLedger(4, 4);

    @Test
    void claimsNeverAskForMoreThanIsFree() throws Exception {
        assertThat(ledger.awaitSlots(ALL).slots()).isEqualTo(4);
        ledger.answered(4, messages(1, 3));

        Errand second = ledger.awaitSlots(ALL);

        assertThat(second.slots()).isEqualTo(1);
        assertThat(ledger.held()).isEqualTo(3);
    }

    @Test
    void claimCarriesReadyResultsAndRequestsTheirSlots() throws Exception {
        give(1, 4);
        finish(1);
        finish(2);

        Errand next = ledger.awaitSlots(ALL);

        assertThat(next.slots()).isEqualTo(2);
        assertThat(next.results()).extracting(MessageResult::id).containsExactly(1L, 2L);
        assertThat(ledger.held()).as("without those that are being told").isEqualTo(2);
    }

    @Test
    void sendsResultSoonWhileOthersRun() throws Exception {
        MessageLedger wide = new MessageLedger(100, 100);
        wide.answered(wide.awaitSlots(ALL).slots(), messages(1, 100));

        wide.finished(1, result(1));

        assertThat(wide.awaitSlots(ALL)).isEqualTo(new Errand(1, List.of(result(1))));
    }

    @Test
    void reporterTakesResultsWithoutClaim() throws Exception {
        ledger.answered(ledger.awaitSlots(ALL).slots(), messages(1, 1));
        Future<List<MessageResult>> reports = later(() -> ledger.awaitResults(ALL));
        ledger.awaitSlots(ALL);

        finish(1);

        assertThat(reports.get()).containsExactly(result(1));
        assertThat(ledger.untold()).isEqualTo(1);
        ledger.reported(reports.get(), true);
        assertThat(ledger.untold()).isZero();
    }

    @Test
    @Tag("must-first")
    void aResultIsUnsentUntilAnAdminHasTakenIt() throws Exception {
        give(1, 4);
        finish(1);
        finish(2);
        assertThat(ledger.unsent(List.of(1L, 2L, 3L, 9L))).containsExactlyInAnyOrder(1L, 2L);

        List<MessageResult> taken = ledger.take(ALL);
        assertThat(ledger.unsent(List.of(1L, 2L))).as("on its way").containsExactlyInAnyOrder(1L, 2L);
        ledger.rode(taken, false);
        assertThat(ledger.unsent(List.of(1L, 2L))).as("refused").containsExactlyInAnyOrder(1L, 2L);
        ledger.rode(ledger.take(ALL), true);

        assertThat(ledger.unsent(List.of(1L, 2L))).isEmpty();
    }

    @Test
    void delaysResultsForNextClaimWhenMessagesExceedSlots() throws Exception {
        MessageLedger wide = new MessageLedger(400, 200);
        wide.answered(wide.awaitSlots(ALL).slots(), messages(1, 200));
        wide.awaitSlots(ALL);
        wide.finished(1, result(1));
        wide.finished(2, result(2));
        long begin = System.nanoTime();

        assertThat(wide.awaitResults(ALL)).hasSize(2);

        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThanOrEqualTo(wide.busyLinger());
    }

    @Test
    void doesNotDelayResultsForLongPoll() throws Exception {
        MessageLedger wide = new MessageLedger(4, 2);
        wide.answered(wide.awaitSlots(ALL).slots(), messages(1, 2));
        Errand next = wide.awaitSlots(ALL);
        wide.finished(1, result(1));
        Future<List<MessageResult>> reports = later(() -> wide.awaitResults(ALL));

        wide.answered(next.slots(), List.of());

        assertThat(reports.get()).containsExactly(result(1));
    }

    @Test
    void resendsRejectedResultsAfterTheOthers() throws Exception {
        give(1, 3);
        finish(1);
        finish(2);
        List<MessageResult> tried = ledger.take(1);
        ledger.rode(tried, false);

        assertThat(ledger.take(ALL)).containsExactly(result(2), result(1));
    }

    @Test
    void undeliveredResultsUseUpSlots() throws Exception {
        for (int round = 0; round < 2; round++) {
            give(4 * round + 1, 4 * round + 4);
            LongStream.rangeClosed(4 * round + 1, 4 * round + 4).forEach(this::finish);
        }
        Future<Errand> next = later(() -> ledger.awaitSlots(ALL));

        List<MessageResult> results = ledger.take(ALL);
        assertThat(results).hasSize(8);
        assertThat(next.isDone()).isFalse();
        ledger.rode(results.subList(0, 3), true);

        assertThat(next.get().slots()).isEqualTo(3);
    }

    @Test
    void longTextsAreSpreadOverRequests() throws Exception {
        give(1, 3);
        for (long id = 1; id <= 3; id++) {
            ledger.finished(id, new MessageResult(id, id, 500, "x".repeat(160_000), false, null, 0));
        }

        assertThat(ledger.take(ALL)).hasSize(1);
        assertThat(ledger.take(ALL)).hasSize(1);
    }

    @Test
    void ignoresDuplicateMessage() throws Exception {
        give(1, 2);

        assertThat(ledger.answered(ledger.awaitSlots(ALL).slots(), messages(2, 3)))
                .extracting(ClaimedMessage::id)
                .containsExactly(3L);
        assertThat(ledger.held()).isEqualTo(3);
    }

    @Test
    @Tag("must-first")
    void failedIntakeChangesNothing() throws Exception {
        int slots = ledger.awaitSlots(ALL).slots();

        assertThatThrownBy(() -> ledger.answered(slots, breakingAfter(messages(1, 2))))
                .isInstanceOf(OutOfMemoryError.class);
        assertThat(ledger.held()).isZero();
        Future<Errand> next = later(() -> ledger.awaitSlots(ALL));
        assertThat(next.isDone()).as("the slots are still the claim's").isFalse();

        assertThat(ledger.answered(slots, messages(1, 2)))
                .extracting(ClaimedMessage::id)
                .containsExactly(1L, 2L);
        assertThat(next.get().slots()).isEqualTo(2);
    }

    @Test
    void closedLedgerFinishesOnceAllResultsAreReported() throws Exception {
        give(1, 4);
        Future<Errand> next = later(() -> ledger.awaitSlots(ALL));
        ledger.close();

        assertThat(next.get().slots()).isZero();
        LongStream.rangeClosed(1, 4).forEach(this::finish);
        assertThat(ledger.isOver()).isFalse();
        ledger.reported(ledger.awaitResults(ALL), true);

        assertThat(ledger.isOver()).isTrue();
        assertThat(ledger.awaitResults(ALL)).isEmpty();
    }

    private void give(long first, long last) throws InterruptedException {
        ledger.answered(ledger.awaitSlots(0).slots(), messages(first, last));
    }

    private void finish(long id) {
        ledger.finished(id, result(id));
    }

    private static MessageResult result(long id) {
        return new MessageResult(id, id, 200, null, false, null, 0);
    }

    private static List<ClaimedMessage> messages(long first, long last) {
        return LongStream.rangeClosed(first, last)
                .mapToObj(id -> new ClaimedMessage(id, 1, 3, id, 1, "", 1, Map.of(), null))
                .toList();
    }

    /** These, and then an error instead of their end. */
    private static Collection<ClaimedMessage> breakingAfter(List<ClaimedMessage> messages) {
        return new AbstractCollection<>() {
            @Override
            public Iterator<ClaimedMessage> iterator() {
                return Stream.concat(messages.stream(), Stream.generate(() -> {
                            throw new OutOfMemoryError("told to fail");
                        }))
                        .iterator();
            }

            @Override
            public int size() {
                return messages.size();
            }
        };
    }

    /** On a thread that waits when this returns. */
    private static <T> Future<T> later(Callable<T> question) {
        FutureTask<T> task = new FutureTask<>(question);
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
        await().until(() -> thread.getState() == Thread.State.WAITING
                || thread.getState() == Thread.State.TIMED_WAITING
                || task.isDone());
        return task;
    }
}
