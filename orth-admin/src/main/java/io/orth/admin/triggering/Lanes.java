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
 * One lane per executor instance, each with at most one batch in progress; items that arrive meanwhile form the next batch. A lane waits
 * for a thread if all are busy, and after each batch queues behind the other lanes. A few threads can thus serve any number of executors.
 *
 * @param <T> type of the items in batches
 */
final class Lanes<T> {

    private static final Logger log = LoggerFactory.getLogger(Lanes.class);

    /** Maximum characters of text in one batch. Even at six bytes each as JSON, an executor's limit of 5 MB is not reached. */
    private static final long MAX_CHARACTERS = 600_000;

    private final Executor threads;
    private final int batchSize;
    private final int capacity;
    private final ToLongFunction<T> characters;
    private final BiConsumer<Target, List<T>> sender;
    /** Waiting items by executor id; a lane exists while it has a thread or waits for one. Guarded by this. */
    private final Map<Long, Deque<T>> waiting = new HashMap<>();

    private int size;

    /**
     * @param threads must accept one task per lane
     * @param characters returns the size of an item's text
     * @param sender sends one batch and handles its own failures
     */
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
     * Adds the items and returns true, or adds none of them and returns false. An executor with more waiting items than there is free
     * capacity gets nothing added: a single one can fill half of the capacity, and slow executors never take all of it.
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

    /**
     * Requests a thread for a lane. A thread of a new lane waits for this monitor before it reads the lane. Returns false while the node
     * stops.
     */
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

    /** Returns whether the calling thread is finished with this lane: it is empty, or waits for a thread behind the others. */
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
