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
 * Where a claim starts to read a queue with a backlog. The oldest messages are running, and a read from the start would pass over all
 * of them each time.
 *
 * <p>A frontier is a hint of this node. A message may become claimable below it: one that was requeued, the next of a group, one whose
 * push took long to commit. So a read starts from the beginning if this node knows of such a message, if the rest is less than was
 * asked for, and every {@link #HOLDS} anyway; and no frontier is set among messages that became due just now.
 */
final class Frontiers {

    static final Duration HOLDS = Duration.ofSeconds(1);

    /** Pushes take less long to commit. */
    static final Duration SETTLED = Duration.ofSeconds(1);

    /** All messages of its lane up to this one were claimed. */
    record Frontier(int lane, Instant dueAt, long id) {

        /** Of no lane. */
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

    /** @param since when all before it were last read */
    private record Known(Frontier frontier, long since) {

        /** Of two reads at once the first may have got further. */
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

    /** One after the other, so that each begins where the one before has ended. */
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

    /** These were claimed at that time by a read that started {@code from} there. */
    void passed(int queue, Frontier from, List<Due> given, int asked, Instant at) {
        Frontier reached = given.isEmpty() ? Frontier.NONE : Frontier.at(given.get(given.size() - 1));
        if (given.size() < asked || reached.dueAt().isAfter(at.minus(SETTLED))) {
            forget(queue);
            return;
        }
        if (from.isNone()) {
            byQueue.put(queue, new Known(reached, ticker.nanos()));
        } else {
            // It may have been forgotten meanwhile.
            byQueue.computeIfPresent(queue, (id, known) -> known.at(reached));
        }
    }

    /** Messages may have come to wait anywhere. */
    void forget(int queue) {
        byQueue.remove(queue);
    }
}
