package io.orth.admin.queue;

import io.orth.admin.kernel.Ticker;
import io.orth.admin.queue.MessageRepository.Due;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Positions from which claims read queues with a backlog. The oldest messages are running, and a read from the start would pass over all of
 * them each time.
 *
 * <p>A frontier is a hint of this node. Messages before it may become claimable: a requeued message, the next message with an ordering key,
 * or a message whose push committed late. So a read starts from the beginning if this node knows of such a message, if fewer messages are
 * left behind the frontier than requested, and after {@link #HOLDS} in any case. No frontier is set among messages that became due within
 * {@link #SETTLED}.
 */
final class Frontiers {

    static final Duration HOLDS = Duration.ofSeconds(1);

    /** Pushes commit faster than this. */
    static final Duration SETTLED = Duration.ofSeconds(1);

    /** All messages of this priority up to this one were claimed. */
    record Frontier(int lane, Instant dueAt, long id) {

        /** The start of the queue. */
        static final Frontier NONE = new Frontier(-1, Instant.EPOCH, 0);

        static Frontier at(Due message) {
            return new Frontier(message.lane(), message.dueAt(), message.id());
        }

        boolean isNone() {
            return lane < 0;
        }

        private boolean isBehind(Frontier other) {
            return lane == other.lane && (dueAt.isBefore(other.dueAt) || (dueAt.equals(other.dueAt) && id < other.id));
        }
    }

    /** @param since when the queue was last read from the start */
    private record Known(Frontier frontier, long since) {

        /** Moves the frontier forward. Of two concurrent reads, the first may have got further. */
        Known at(Frontier reached) {
            return reached.isBehind(frontier) ? this : new Known(reached, since);
        }
    }

    private static final int TURNSTILES = 64;

    private final Ticker ticker;
    private final List<Lock> turnstiles =
            Stream.<Lock>generate(ReentrantLock::new).limit(TURNSTILES).toList();
    private final Map<Integer, Known> byQueue = new ConcurrentHashMap<>();

    Frontiers(Ticker ticker) {
        this.ticker = ticker;
    }

    /** Serializes reads of a queue, so that each starts at the end of the previous one. */
    <T> T inTurn(int queue, Supplier<T> look) {
        Lock turnstile = turnstiles.get(Math.floorMod(queue, TURNSTILES));
        turnstile.lock();
        try {
            return look.get();
        } finally {
            turnstile.unlock();
        }
    }

    Frontier of(int queue) {
        Known known = byQueue.get(queue);
        return known == null || ticker.nanos() - known.since() > HOLDS.toNanos() ? Frontier.NONE : known.frontier();
    }

    /** Updates the frontier after these messages were claimed by a read that started at {@code from}. */
    void passed(int queue, Frontier from, List<Due> given, int asked, Instant at) {
        Frontier reached = given.isEmpty() ? Frontier.NONE : Frontier.at(given.get(given.size() - 1));
        if (given.size() < asked || reached.dueAt().isAfter(at.minus(SETTLED))) {
            forget(queue);
            return;
        }
        if (from.isNone()) {
            byQueue.put(queue, new Known(reached, ticker.nanos()));
        } else {
            // The frontier may have been reset in the meantime.
            byQueue.computeIfPresent(queue, (id, known) -> known.at(reached));
        }
    }

    /** Resets the frontier, because messages may have become claimable anywhere. */
    void forget(int queue) {
        byQueue.remove(queue);
    }
}
