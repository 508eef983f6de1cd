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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One lane per executor instance with at most one batch under way in each, so that a slow executor delays nobody else, and
 * what arrives meanwhile makes the next batch.
 */
final class Lanes {

    /** Sends one batch; failures are its own business. */
    @FunctionalInterface
    interface BatchSender {
        void send(Target target, List<Send> batch);
    }

    private static final Logger log = LoggerFactory.getLogger(Lanes.class);

    /** Of parameters in one batch: even where each takes six bytes as JSON, an executor's limit of 5 MB is not reached. */
    private static final long MOST_CHARACTERS = 600_000;

    private final Executor threads;
    private final int batchSize;
    private final int capacity;
    private final BatchSender sender;
    /** Sends that wait, by executor id; a lane exists while it is being served. Guarded by this. */
    private final Map<Long, Deque<Send>> waiting = new HashMap<>();

    private int size;

    Lanes(Executor threads, int batchSize, int capacity, BatchSender sender) {
        this.threads = threads;
        this.batchSize = batchSize;
        this.capacity = capacity;
        this.sender = sender;
    }

    /**
     * Returns whether there was room and a thread; if not, nothing of {@code sends} has been taken. An executor that has more
     * waiting than there is room left gets nothing added: one alone may fill half of the room, and those that are slow never take
     * all of it from the others.
     */
    synchronized boolean offer(Target target, List<Send> sends) {
        Deque<Send> lane = waiting.get(target.executorId());
        int ahead = lane == null ? 0 : lane.size();
        if (size + sends.size() > capacity || ahead > capacity - size) {
            return false;
        }
        if (lane == null && !serve(target)) {
            return false;
        }
        waiting.computeIfAbsent(target.executorId(), id -> new ArrayDeque<>()).addAll(sends);
        size += sends.size();
        return true;
    }

    /** The thread that serves a new lane waits for this monitor before it looks into it. */
    private boolean serve(Target target) {
        try {
            threads.execute(() -> drain(target));
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    private void drain(Target target) {
        for (List<Send> batch = next(target); !batch.isEmpty(); batch = next(target)) {
            try {
                sender.send(target, batch);
            } catch (Throwable e) {
                log.atError()
                        .addKeyValue("executor", target)
                        .setCause(e)
                        .log("a batch failed; its runs are taken up later");
            }
        }
    }

    private synchronized List<Send> next(Target target) {
        Deque<Send> lane = waiting.get(target.executorId());
        if (lane.isEmpty()) {
            waiting.remove(target.executorId());
            return List.of();
        }
        List<Send> batch = new ArrayList<>();
        long characters = 0;
        while (!lane.isEmpty() && batch.size() < batchSize && (batch.isEmpty() || characters < MOST_CHARACTERS)) {
            Send send = lane.remove();
            characters += send.run().param().length();
            batch.add(send);
        }
        size -= batch.size();
        return batch;
    }
}
