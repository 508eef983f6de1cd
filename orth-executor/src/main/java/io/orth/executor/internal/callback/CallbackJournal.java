package io.orth.executor.internal.callback;

import io.orth.protocol.CallbackItem;
import io.orth.runtime.Threads;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts results on disk before anything else happens to them. A lone result is written at once; those that arrive during a
 * write share the next file, so none waits for others to come. When the disk cannot keep up, lanes wait here: the journal holds
 * what is being written and about as much again, so that whatever is in it is on disk after two or three writes. A result leaves
 * the journal when it is written and handed on, so whatever fails on the way is tried again.
 */
public final class CallbackJournal {

    private static final Logger log = LoggerFactory.getLogger(CallbackJournal.class);
    private static final Duration REST_AFTER_FAILURE = Duration.ofMillis(200);

    /** The file that is being written and the next one. */
    static final int CAPACITY = 2 * Batch.MAX_ITEMS;

    static final int CAPACITY_IN_CHARACTERS = 2 * Batch.MAX_CHARACTERS;

    /** A result, and when it was reported. */
    private record Reported(CallbackItem item, long at) {}

    private final CallbackFiles files;
    private final Consumer<Batch> written;
    private final int capacity;
    private final DiskPace pace;
    private final Thread thread;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // Guarded by lock.
    private final Deque<Reported> unwritten = new ArrayDeque<>();
    private int characters;
    private boolean stopping;
    private boolean givenUp;

    // Only the writer's thread touches these: whether the disk refused the last batch, whether the last pass broke.
    private boolean diskFailing;
    private boolean broken;

    /** @param capacity how many results it holds; how much text they may have is fixed */
    CallbackJournal(CallbackFiles files, int capacity, Consumer<Batch> written, DiskPace pace) {
        this.files = files;
        this.capacity = capacity;
        this.pace = pace;
        this.written = written;
        this.thread = Threads.service("callback-journal", this::writeUntilStopped);
    }

    void start() {
        thread.start();
    }

    /** Takes a result; waits while too many are unwritten. Interrupts do not end the wait: a result is never dropped. */
    void append(CallbackItem item) {
        long reportedAt = pace.now();
        lock.lock();
        try {
            while (!hasRoomFor(item)) {
                changed.awaitUninterruptibly();
            }
            unwritten.add(new Reported(item, reportedAt));
            characters += Batch.charactersOf(item);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private boolean hasRoomFor(CallbackItem item) {
        return unwritten.isEmpty()
                || (unwritten.size() < capacity && characters + Batch.charactersOf(item) <= CAPACITY_IN_CHARACTERS);
    }

    /** How many results are not written and handed on yet. */
    int size() {
        lock.lock();
        try {
            return unwritten.size();
        } finally {
            lock.unlock();
        }
    }

    /** Writes what is there and ends; returns whether that was done within {@code grace}. */
    boolean stop(Duration grace) throws InterruptedException {
        lock.lock();
        try {
            stopping = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        try {
            thread.join(Math.max(1, grace.toMillis()));
            // Asked before it is told to give up: a thread that ends because of that has not written everything.
            return !thread.isAlive();
        } finally {
            giveUp();
        }
    }

    /** From now on a failure is not followed by another try. */
    private void giveUp() {
        lock.lock();
        try {
            givenUp = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void writeUntilStopped() {
        boolean more = true;
        while (more) {
            try {
                more = writeNext();
            } catch (Throwable problem) {
                // Without this thread every lane would soon wait for ever, so not even an error ends it.
                more = restAfter(problem);
            }
        }
    }

    /** Returns whether there may be more to write. */
    private boolean writeNext() {
        List<Reported> group = next();
        if (group.isEmpty()) {
            return false;
        }
        List<CallbackItem> items = group.stream().map(Reported::item).toList();
        Path file = write(items);
        if (file != null) {
            pace.written(group.get(0).at());
        }
        Batch batch = new Batch(file, items);
        written.accept(batch);
        remove(batch);
        if (broken) {
            broken = false;
            log.info("results are written again");
        }
        return true;
    }

    /** Returns whether to try again. */
    private boolean restAfter(Throwable problem) {
        boolean first = !broken;
        broken = true;
        try {
            if (first) {
                log.error("results cannot be written at the moment; trying again", problem);
            }
        } catch (Throwable another) {
            // A problem that cannot even be told is no reason to end either.
        }
        lock.lock();
        try {
            long left = REST_AFTER_FAILURE.toNanos();
            while (left > 0 && !givenUp) {
                left = changed.awaitNanos(left);
            }
            return !givenUp;
        } catch (InterruptedException e) {
            // Nobody interrupts this thread; if somebody does, it has had its rest.
            return !givenUp;
        } finally {
            lock.unlock();
        }
    }

    /** Returns null when the disk refuses; the results are then sent from memory, which is the best that is left. */
    private Path write(List<CallbackItem> group) {
        try {
            Path file = files.write(group);
            if (diskFailing) {
                diskFailing = false;
                log.info("results can be written to disk again");
            }
            return file;
        } catch (IOException | RuntimeException e) {
            if (!diskFailing) {
                diskFailing = true;
                log.error("results cannot be written to disk and are kept in memory only", e);
            }
            return null;
        }
    }

    /** The next group, which stays in the journal until removed; empty when stopping and nothing is left. */
    private List<Reported> next() {
        lock.lock();
        try {
            while (unwritten.isEmpty() && !stopping) {
                changed.awaitUninterruptibly();
            }
            List<Reported> group = new ArrayList<>();
            int text = 0;
            for (Reported result : unwritten) {
                text += Batch.charactersOf(result.item());
                if (!group.isEmpty() && (group.size() == Batch.MAX_ITEMS || text > Batch.MAX_CHARACTERS)) {
                    break;
                }
                group.add(result);
            }
            return group;
        } finally {
            lock.unlock();
        }
    }

    private void remove(Batch batch) {
        lock.lock();
        try {
            for (int i = 0; i < batch.items().size(); i++) {
                unwritten.remove();
            }
            characters -= batch.characters();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
