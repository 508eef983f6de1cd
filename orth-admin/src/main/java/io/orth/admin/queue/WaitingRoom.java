package io.orth.admin.queue;

import io.orth.admin.queue.QueueDriver.Claim;
import io.orth.protocol.ClaimedMessage;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/** Long polls by queue, in the order of arrival. Thread-safe. */
final class WaitingRoom {

    /** A long poll. The caller that removes it must complete it or put it back. */
    record Guest(String queue, Claim claim, Instant deadline, CompletableFuture<List<ClaimedMessage>> answer) {

        private boolean isUnder(Claim other) {
            return claim.executorId() == other.executorId()
                    && claim.strand() == other.strand()
                    && claim.id().equals(other.id());
        }

        void give(List<ClaimedMessage> messages) {
            answer.complete(messages);
        }

        void fail(RuntimeException problem) {
            answer.completeExceptionally(problem);
        }
    }

    private static final int SIGNALS = 4_096;

    private final Map<String, Deque<Guest>> waiting = new HashMap<>();
    /** Several queues share a counter: a signal for another queue costs one unnecessary attempt. */
    private final AtomicLongArray signals = new AtomicLongArray(SIGNALS);

    private RuntimeException closedBecause;

    /** Adds a poll. A repeated poll under the same claim replaces the earlier one and keeps its deadline. Both get the same response. */
    CompletableFuture<List<ClaimedMessage>> enter(String queue, Claim claim, Instant deadline) {
        Guest guest = leave(queue, claim)
                .map(earlier -> new Guest(queue, claim, earlier.deadline(), earlier.answer()))
                .orElseGet(() -> new Guest(queue, claim, deadline, new CompletableFuture<>()));
        add(guest, Deque::addLast);
        return guest.answer();
    }

    /** Removes and returns the poll under this claim. */
    synchronized Optional<Guest> leave(String queue, Claim claim) {
        Deque<Guest> guests = waiting.getOrDefault(queue, new ArrayDeque<>());
        Optional<Guest> earlier =
                guests.stream().filter(guest -> guest.isUnder(claim)).findFirst();
        earlier.ifPresent(guests::remove);
        if (guests.isEmpty()) {
            waiting.remove(queue);
        }
        return earlier;
    }

    /** Puts a poll back at the head of its queue after an unsuccessful attempt. */
    void back(Guest guest) {
        add(guest, Deque::addFirst);
    }

    private void add(Guest guest, BiConsumer<Deque<Guest>, Guest> place) {
        synchronized (this) {
            if (closedBecause == null) {
                place.accept(waiting.computeIfAbsent(guest.queue(), any -> new ArrayDeque<>()), guest);
                return;
            }
        }
        guest.fail(closedBecause);
    }

    /** Removes and returns the first poll of the queue. */
    synchronized Optional<Guest> next(String queue) {
        Deque<Guest> guests = waiting.get(queue);
        if (guests == null) {
            return Optional.empty();
        }
        Guest first = guests.removeFirst();
        if (guests.isEmpty()) {
            waiting.remove(queue);
        }
        return Optional.of(first);
    }

    /** Returns the number of signals of a queue. Comparing it before and after an attempt misses none. */
    long signals(String queue) {
        return signals.get(Math.floorMod(queue.hashCode(), SIGNALS));
    }

    void signal(String queue) {
        signals.incrementAndGet(Math.floorMod(queue.hashCode(), SIGNALS));
    }

    synchronized Set<String> queues() {
        return new HashSet<>(waiting.keySet());
    }

    /** Returns the earliest deadline. */
    synchronized Optional<Instant> firstDeadline() {
        return waiting.values().stream()
                .flatMap(Deque::stream)
                .map(Guest::deadline)
                .min(Instant::compareTo);
    }

    /** Removes and returns expired polls. */
    List<Guest> overdue(Instant now) {
        return take(guest -> !guest.deadline().isAfter(now));
    }

    /** Fails all current and future polls. */
    void close(RuntimeException because) {
        synchronized (this) {
            closedBecause = because;
        }
        take(guest -> true).forEach(guest -> guest.fail(because));
    }

    private synchronized List<Guest> take(Predicate<Guest> which) {
        List<Guest> taken = new ArrayList<>();
        waiting.values().forEach(guests -> guests.removeIf(guest -> which.test(guest) && taken.add(guest)));
        waiting.values().removeIf(Deque::isEmpty);
        return taken;
    }
}
