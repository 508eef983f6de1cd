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
 * Where to begin to look for messages of queues that have a backlog. The oldest are with executors, and a look that begins with the
 * oldest passes all of them: as many as run, again and again.
 *
 * <p>What this node remembers is a hint. A message may come to wait below it: one that was given back, the next of a group, one whose
 * push took long to commit. So a look goes from the beginning where this node knows of any such, where the rest is less than was asked
 * for, and every {@link #HOLDS} anyway; and there is no frontier among messages that came to wait just now.
 */
final class Frontiers {

    static final Duration HOLDS = Duration.ofSeconds(1);

    /** Pushes take less long to commit. */
    static final Duration SETTLED = Duration.ofSeconds(1);

    /** All before it in its lane, and it itself, were given away. */
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

    /** @param since when all before it were last looked at */
    private record Known(Frontier frontier, long since) {

        /** Two may have looked behind it at once, and the first have got further. */
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

    /**
     * These were given away at that time.
     *
     * @param from where the look for them began
     */
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
