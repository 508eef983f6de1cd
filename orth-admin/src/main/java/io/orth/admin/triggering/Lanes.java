package io.orth.admin.triggering;

import io.orth.admin.registry.Target;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiConsumer;
import java.util.function.ToLongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One lane per executor instance with at most one batch under way in each: what arrives meanwhile makes the next batch. A lane
 * waits for a thread where all are busy, and for the next one behind the other lanes after each batch, so any number of
 * executors is served by a few threads.
 *
 * @param <T> what the batches are made of
 */
final class Lanes<T> {

    private static final Logger log = LoggerFactory.getLogger(Lanes.class);

    /** Of texts in one batch: even where each takes six bytes as JSON, an executor's limit of 5 MB is not reached. */
    private static final long MAX_CHARACTERS = 600_000;

    private final Executor threads;
    private final int batchSize;
    private final int capacity;
    private final ToLongFunction<T> characters;
    private final BiConsumer<Target, List<T>> sender;
    /** What waits, by executor id; a lane exists while it has a thread or waits for one. Guarded by this. */
    private final Map<Long, Deque<T>> waiting = new HashMap<>();

    private int size;

    /** {@code threads} must take one task for each lane; {@code characters} is how much text one has; {@code sender} sends one batch, and its failures are its own business. */
    Lanes(
            Executor threads,
            int batchSize,
            int capacity,
            ToLongFunction<T> characters,
            BiConsumer<Target, List<T>> sender) {
        this.threads = threads;
        this.batchSize = batchSize;
        this.capacity = capacity;
        this.characters = characters;
        this.sender = sender;
    }

    /**
     * Returns whether there was room; if not, nothing of {@code items} has been taken. An executor that has more waiting than
     * there is room left gets nothing added: one alone may fill half of the room, and those that are slow never take all of it
     * from the others.
     */
    synchronized boolean offer(Target target, List<T> items) {
        Deque<T> lane = waiting.get(target.executorId());
        int ahead = lane == null ? 0 : lane.size();
        if (size + items.size() > capacity || ahead > capacity - size) {
            return false;
        }
        if (lane == null && !serve(target)) {
            return false;
        }
        waiting.computeIfAbsent(target.executorId(), id -> new ArrayDeque<>()).addAll(items);
        size += items.size();
        return true;
    }

    /** The thread that serves a new lane waits for this monitor before it looks into it. None is had while the node stops. */
    private boolean serve(Target target) {
        try {
            threads.execute(() -> drain(target));
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    private void drain(Target target) {
        do {
            try {
                sender.accept(target, next(target));
            } catch (Throwable e) {
                log.atError()
                        .addKeyValue("executor", target)
                        .setCause(e)
                        .log("a batch failed; its runs are taken up later");
            }
        } while (!leaves(target));
    }

    /** Whether the calling thread is done with this lane: it is empty, or waits for a thread behind the others. */
    private synchronized boolean leaves(Target target) {
        if (waiting.get(target.executorId()).isEmpty()) {
            waiting.remove(target.executorId());
            return true;
        }
        return serve(target);
    }

    private synchronized List<T> next(Target target) {
        Deque<T> lane = waiting.get(target.executorId());
        List<T> batch = new ArrayList<>();
        long text = 0;
        while (!lane.isEmpty() && batch.size() < batchSize && (batch.isEmpty() || text < MAX_CHARACTERS)) {
            T item = lane.remove();
            text += characters.applyAsLong(item);
            batch.add(item);
        }
        size -= batch.size();
        return batch;
    }
}
