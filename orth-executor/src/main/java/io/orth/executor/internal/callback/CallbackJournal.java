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
 * Writes results to disk before anything else happens to them. A single result is written immediately; results that arrive during
 * a write share the next file, so none waits for others. If the disk cannot keep up, lanes block here: the capacity is the file
 * being written plus about one more, so every result in the journal is on disk after two or three writes. A result leaves the
 * journal once it is written and handed on, so a failure on the way is retried.
 */
public final class CallbackJournal {

    private static final Logger log = LoggerFactory.getLogger(CallbackJournal.class);
    private static final Duration REST_AFTER_FAILURE = Duration.ofMillis(200);

    /** The file being written and the next one. */
    static final int CAPACITY = 2 * Batch.MAX_ITEMS;

    static final int CAPACITY_IN_CHARACTERS = 2 * Batch.MAX_CHARACTERS;

    /** A result and when it was reported. */
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

    // Accessed by the writer's thread only: whether the disk rejected the last batch, and whether the last pass failed.
    private boolean diskFailing;
    private boolean broken;

    /** @param capacity maximum number of results; the limit of their text is fixed */
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

    /**
     * Appends a result. Blocks while too many results are unwritten. Interrupts do not end the wait, because a result is never
     * dropped.
     */
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

    /** Returns the number of results not yet written and handed on. */
    int size() {
        lock.lock();
        try {
            return unwritten.size();
        } finally {
            lock.unlock();
        }
    }

    /** Writes the remaining results and stops. Returns whether that was finished within {@code grace}. */
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
            // Checked before giveUp(): a thread that ends because of that call has not written everything.
            return !thread.isAlive();
        } finally {
            giveUp();
        }
    }

    /** Makes the next failure final: no retry follows. */
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
                // Without this thread every lane would soon block forever, so not even an error ends it.
                more = restAfter(problem);
            }
        }
    }

    /** Writes one group. Returns whether there may be more. */
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

    /** Waits after a failure. Returns whether to retry. */
    private boolean restAfter(Throwable problem) {
        boolean first = !broken;
        broken = true;
        try {
            if (first) {
                log.error("results cannot be written at the moment; trying again", problem);
            }
        } catch (Throwable another) {
            // A problem that cannot be logged must not end the thread either.
        }
        lock.lock();
        try {
            long left = REST_AFTER_FAILURE.toNanos();
            while (left > 0 && !givenUp) {
                left = changed.awaitNanos(left);
            }
            return !givenUp;
        } catch (InterruptedException e) {
            // The executor never interrupts this thread. If other code does, the delay is simply cut short.
            return !givenUp;
        } finally {
            lock.unlock();
        }
    }

    /** Writes a group. Returns null if the disk rejects it; the results are then sent from memory, the best remaining option. */
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

    /** Returns the next group, which stays in the journal until removed; empty if stopping and nothing is left. */
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
