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

/** Serves the long polls of this node, first come, first served. Safe for use by many threads. */
final class GuestService {

    private final QueueDriver driver;
    private final Executor threads;
    private final WaitingRoom room = new WaitingRoom();
    private volatile Runnable look = () -> {};

    /** @param threads serve the long polls, and throw if all of them are busy */
    GuestService(QueueDriver driver, Executor threads) {
        this.driver = driver;
        this.threads = threads;
    }

    /** @param loop looks for what is due next: that may have changed */
    void connect(Runnable loop) {
        look = loop;
    }

    WaitingRoom room() {
        return room;
    }

    /** @param seen the count of {@link WaitingRoom#signals} before the claim that got nothing */
    CompletableFuture<List<ClaimedMessage>> await(String queue, Claim claim, Instant deadline, long seen) {
        CompletableFuture<List<ClaimedMessage>> given = room.enter(queue, claim, deadline);
        if (room.signals(queue) != seen) {
            wake(queue);
        } else {
            look.run();
        }
        return given;
    }

    /** The queue has something new: the first that waits for it tries to claim. Never blocks. */
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
            // All are busy; the next look finds it.
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

    /** Pushes for the first claim that waits, in one step with it. Returns empty, and has pushed nothing, if none waits. */
    Optional<Handed> handOver(String queue, Function<Claim, Handed> push) {
        return room.next(queue).map(guest -> {
            long seen = room.signals(queue);
            Handed handed;
            try {
                handed = push.apply(guest.claim());
            } catch (RuntimeException | Error e) {
                // Nobody knows whether it was given something after all: it has to look.
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
        // It may have asked again while it was tried for, and listen to that answer only.
        room.leave(guest.queue(), guest.claim()).ifPresent(again -> again.give(messages.orElse(List.of())));
        if (messages.isEmpty() || messages.get().size() == guest.claim().slots()) {
            room.next(guest.queue()).ifPresent(this::tryFor);
        }
    }

    /** Answers those whose deadline has passed with nothing. Writing to a connection may take time, so the threads do it. */
    void dismiss(Instant now) {
        room.overdue(now).forEach(guest -> execute(guest, () -> guest.give(List.of())));
    }
}
