package io.orth.admin.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.admin.queue.QueueDriver.Claim;
import io.orth.admin.queue.QueueDriver.Handed;
import io.orth.protocol.ClaimedMessage;
import io.orth.protocol.PushReply.Pushed;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Pushes to waiting polls. */
@Tag("must-queues")
class GuestServiceTest {

    private static final String QUEUE = "emails";
    private static final List<Pushed> PUSHED = List.of(new Pushed(1, false));

    /** The messages that each claim finds, by claim id. */
    private final Map<String, Optional<List<ClaimedMessage>>> due = new HashMap<>();

    private final List<String> tried = new ArrayList<>();
    private final GuestService guests = new GuestService(driver(), Runnable::run);

    @Test
    void handsPushedMessageToWaitingPollWithoutClaim() {
        CompletableFuture<List<ClaimedMessage>> waiting = await("a", 2);

        Optional<Handed> handed = guests.handOver(QUEUE, claim -> {
            assertThat(claim.id()).isEqualTo("a");
            return new Handed(PUSHED, Optional.of(List.of(message(1))));
        });

        assertThat(handed).hasValueSatisfying(it -> assertThat(it.isComplete()).isTrue());
        assertThat(waiting).isCompletedWithValue(List.of(message(1)));
        assertThat(tried).isEmpty();
    }

    @Test
    void pushesNothingWithoutWaitingPoll() {
        assertThat(guests.handOver(QUEUE, claim -> {
                    throw new AssertionError("nobody waits");
                }))
                .isEmpty();
    }

    @Test
    void nextPollClaimsWhenFirstIsFull() {
        CompletableFuture<List<ClaimedMessage>> first = await("a", 1);
        CompletableFuture<List<ClaimedMessage>> second = await("b", 1);
        due.put("b", Optional.of(List.of(message(2))));

        guests.handOver(QUEUE, claim -> new Handed(PUSHED, Optional.of(List.of(message(1)))));

        assertThat(first).isCompletedWithValue(List.of(message(1)));
        assertThat(second).isCompletedWithValue(List.of(message(2)));
    }

    @Test
    void dismissesStalePollAndNextPollClaims() {
        CompletableFuture<List<ClaimedMessage>> gone = await("a", 1);
        CompletableFuture<List<ClaimedMessage>> second = await("b", 1);
        due.put("b", Optional.of(List.of(message(1))));

        guests.handOver(QUEUE, claim -> new Handed(PUSHED, Optional.empty()));

        assertThat(gone).isCompletedWithValue(List.of());
        assertThat(second).isCompletedWithValue(List.of(message(1)));
    }

    @Test
    void pollWithoutMessagesKeepsWaiting() {
        CompletableFuture<List<ClaimedMessage>> waiting = await("a", 1);

        guests.handOver(QUEUE, claim -> new Handed(PUSHED, Optional.of(List.of())));

        assertThat(waiting).isNotDone();
        guests.handOver(QUEUE, claim -> new Handed(PUSHED, Optional.of(List.of(message(1)))));
        assertThat(waiting).isCompletedWithValue(List.of(message(1)));
    }

    @Test
    void notesSignalDuringHandOver() {
        CompletableFuture<List<ClaimedMessage>> waiting = await("a", 1);
        due.put("a", Optional.of(List.of(message(2))));

        guests.handOver(QUEUE, claim -> {
            guests.wake(QUEUE);
            return new Handed(PUSHED, Optional.of(List.of()));
        });

        assertThat(waiting).isCompletedWithValue(List.of(message(2)));
    }

    /** The connection broke at the commit: the pushed messages may be stored, and claimed for the waiting poll. */
    @Test
    void pollReceivesMessagesOfPushThatSeemedToFail() {
        CompletableFuture<List<ClaimedMessage>> waiting = await("a", 1);
        due.put("a", Optional.of(List.of(message(1))));

        assertThatThrownBy(() -> guests.handOver(QUEUE, claim -> {
                    throw new IllegalStateException("broken pipe");
                }))
                .hasMessage("broken pipe");

        assertThat(waiting).isCompletedWithValue(List.of(message(1)));
    }

    @Test
    void pollKeepsWaitingAfterFailedPush() {
        CompletableFuture<List<ClaimedMessage>> waiting = await("a", 1);

        assertThatThrownBy(() -> guests.handOver(QUEUE, claim -> {
                    throw new IllegalStateException("bad message");
                }))
                .hasMessage("bad message");

        assertThat(tried).containsExactly("a");
        assertThat(waiting).isNotDone();
        guests.handOver(QUEUE, claim -> new Handed(PUSHED, Optional.of(List.of(message(1)))));
        assertThat(waiting).isCompletedWithValue(List.of(message(1)));
    }

    /** The first poll got no response, and the executor has fewer slots now. */
    @Test
    void repeatedPollUsesItsOwnSlotsAndCompletesBoth() {
        CompletableFuture<List<ClaimedMessage>> first = await("a", 8);
        CompletableFuture<List<ClaimedMessage>> again = await("a", 1);
        CompletableFuture<List<ClaimedMessage>> other = await("b", 1);

        guests.handOver(QUEUE, claim -> {
            assertThat(claim.slots()).isEqualTo(1);
            return new Handed(PUSHED, Optional.of(List.of(message(1))));
        });

        assertThat(first).isCompletedWithValue(List.of(message(1)));
        assertThat(again).isCompletedWithValue(List.of(message(1)));
        assertThat(other).isNotDone();
    }

    @Test
    void repeatedPollDuringHandOverGetsSameMessages() {
        CompletableFuture<List<ClaimedMessage>> first = await("a", 1);
        List<CompletableFuture<List<ClaimedMessage>>> again = new ArrayList<>();

        guests.handOver(QUEUE, claim -> {
            again.add(await("a", 1));
            return new Handed(PUSHED, Optional.of(List.of(message(1))));
        });

        assertThat(first).isCompletedWithValue(List.of(message(1)));
        assertThat(again).singleElement().satisfies(it -> assertThat(it).isCompletedWithValue(List.of(message(1))));
    }

    /** Otherwise an executor whose connection keeps breaking would wait forever and leave a poll behind each time. */
    @Test
    void repeatedPollKeepsFirstDeadline() {
        CompletableFuture<List<ClaimedMessage>> first = await("a", 1, Instant.ofEpochSecond(20));
        CompletableFuture<List<ClaimedMessage>> again = await("a", 1, Instant.ofEpochSecond(35));

        guests.dismiss(Instant.ofEpochSecond(20));

        assertThat(first).isCompletedWithValue(List.of());
        assertThat(again).isCompletedWithValue(List.of());
    }

    @Test
    void completesExpiredPollOnExecutorThread() {
        List<Runnable> later = new ArrayList<>();
        GuestService busy = new GuestService(driver(), later::add);
        CompletableFuture<List<ClaimedMessage>> waiting = busy.await(
                QUEUE,
                new Claim(1, 0, "a", 0, 0, 1, 0),
                Instant.EPOCH,
                busy.room().signals(QUEUE));

        busy.dismiss(Instant.EPOCH);

        assertThat(waiting).isNotDone();
        later.forEach(Runnable::run);
        assertThat(waiting).isCompletedWithValue(List.of());
    }

    private CompletableFuture<List<ClaimedMessage>> await(String claim, int slots) {
        return await(claim, slots, Instant.MAX);
    }

    private CompletableFuture<List<ClaimedMessage>> await(String claim, int slots, Instant deadline) {
        return guests.await(
                QUEUE,
                new Claim(1, 0, claim, 0, 0, slots, 0),
                deadline,
                guests.room().signals(QUEUE));
    }

    private static ClaimedMessage message(long id) {
        return new ClaimedMessage(id, 1, 3, id, 0, "payload", 0, Map.of(), null);
    }

    private QueueDriver driver() {
        return (QueueDriver) Proxy.newProxyInstance(
                QueueDriver.class.getClassLoader(), new Class<?>[] {QueueDriver.class}, (proxy, method, args) -> {
                    assertThat(method.getName()).isEqualTo("tryAgain");
                    String claim = ((Claim) args[1]).id();
                    tried.add(claim);
                    return due.getOrDefault(claim, Optional.of(List.of()));
                });
    }
}
