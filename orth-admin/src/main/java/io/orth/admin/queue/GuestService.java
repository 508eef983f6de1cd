package io.orth.admin.queue;

import io.orth.admin.queue.QueueDriver.Claim;
import io.orth.admin.queue.QueueDriver.Handed;
import io.orth.protocol.ClaimedMessage;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;

/** Serves the long polls of this node, first come, first served. Thread-safe. */
final class GuestService {

    private final QueueDriver driver;
    private final Executor threads;
    private final WaitingRoom room = new WaitingRoom();
    private volatile Runnable look = () -> {};

    /** @param threads serve the long polls; reject tasks if all threads are busy */
    GuestService(QueueDriver driver, Executor threads) {
        this.driver = driver;
        this.threads = threads;
    }

    /** @param loop wakes the loop that determines the next due time, which may have changed */
    void connect(Runnable loop) {
        look = loop;
    }

    WaitingRoom room() {
        return room;
    }

    /** @param seen the count of {@link WaitingRoom#signals} before the claim that found nothing */
    CompletableFuture<List<ClaimedMessage>> await(String queue, Claim claim, Instant deadline, long seen) {
        CompletableFuture<List<ClaimedMessage>> given = room.enter(queue, claim, deadline);
        if (room.signals(queue) != seen) {
            wake(queue);
        } else {
            look.run();
        }
        return given;
    }

    /** Lets the first waiting poll of the queue attempt a claim, because the queue may have new messages. Never blocks. */
    void wake(String queue) {
        room.signal(queue);
        room.next(queue).ifPresent(this::tryFor);
    }

    private void tryFor(WaitingRoom.Guest guest) {
        execute(guest, () -> serve(guest));
    }

    private void execute(WaitingRoom.Guest guest, Runnable task) {
        try {
            threads.execute(task);
        } catch (RejectedExecutionException e) {
            // All threads are busy. The next pass of the loop serves the poll.
            room.back(guest);
        }
    }

    private void serve(WaitingRoom.Guest guest) {
        long seen = room.signals(guest.queue());
        Optional<List<ClaimedMessage>> messages;
        try {
            messages = driver.tryAgain(guest.queue(), guest.claim());
        } catch (RuntimeException e) {
            guest.fail(e);
            return;
        }
        served(guest, seen, messages);
    }

    /** Pushes messages and claims them for the first waiting poll in one step. Returns empty, without pushing, if no poll waits. */
    Optional<Handed> handOver(String queue, Function<Claim, Handed> push) {
        return room.next(queue).map(guest -> {
            long seen = room.signals(queue);
            Handed handed;
            try {
                handed = push.apply(guest.claim());
            } catch (RuntimeException | Error e) {
                // It is unknown whether the push committed, so the poll must look for messages.
                room.signal(queue);
                served(guest, seen, Optional.of(List.of()));
                throw e;
            }
            served(guest, seen, handed.messages());
            return handed;
        });
    }

    private void served(WaitingRoom.Guest guest, long seen, Optional<List<ClaimedMessage>> messages) {
        if (messages.isPresent() && messages.get().isEmpty()) {
            room.back(guest);
            if (room.signals(guest.queue()) != seen) {
                room.next(guest.queue()).ifPresent(this::tryFor);
            } else {
                look.run();
            }
            return;
        }
        guest.give(messages.orElse(List.of()));
        // The executor may have repeated the poll during this attempt and may now read only the later response.
        room.leave(guest.queue(), guest.claim()).ifPresent(again -> again.give(messages.orElse(List.of())));
        if (messages.isEmpty() || messages.get().size() == guest.claim().slots()) {
            room.next(guest.queue()).ifPresent(this::tryFor);
        }
    }

    /** Completes expired polls without messages. Writing to a connection may block, so the threads do it. */
    void dismiss(Instant now) {
        room.overdue(now).forEach(guest -> execute(guest, () -> guest.give(List.of())));
    }
}
