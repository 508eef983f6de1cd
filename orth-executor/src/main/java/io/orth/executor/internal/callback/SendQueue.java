package io.orth.executor.internal.callback;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What waits to be sent, first come, first served: the head as batches in memory, bounded by the text they hold, the rest as
 * names of files. If there are too many names as well, it says that the directory must be looked at.
 */
final class SendQueue {

    private final int capacity;
    private final int namesToKeep;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // Guarded by lock.
    private final Deque<Batch> batches = new ArrayDeque<>();
    private final Set<Path> files = new HashSet<>();
    private final Deque<Path> onDisk = new ArrayDeque<>();
    private int characters;
    private boolean moreOnDisk;
    private boolean closed;

    /** @param capacity in characters of messages */
    SendQueue(int capacity, int namesToKeep) {
        this.capacity = capacity;
        this.namesToKeep = namesToKeep;
    }

    /** Adds a new batch; one that does not fit is left to its file, and one that has none waits for room. */
    void add(Batch batch) {
        lock.lock();
        try {
            while (batch.file() == null && !fits(batch) && !closed) {
                changed.awaitUninterruptibly();
            }
            if (batch.file() == null || (onDisk.isEmpty() && !moreOnDisk && fits(batch))) {
                addToMemory(batch);
            } else {
                addName(batch.file());
            }
        } finally {
            lock.unlock();
        }
    }

    /** Adds files whose turn comes after all that waits now. */
    void addFiles(Collection<Path> waiting) {
        lock.lock();
        try {
            waiting.forEach(this::addName);
        } finally {
            lock.unlock();
        }
    }

    /** The file to read next; null when none waits or memory is well filled. */
    Path nextFile() {
        lock.lock();
        try {
            return characters <= capacity / 2 ? onDisk.poll() : null;
        } finally {
            lock.unlock();
        }
    }

    /** Adds what was read from the file that was next. */
    void addRead(Batch batch) {
        lock.lock();
        try {
            if (!files.contains(batch.file())) {
                addToMemory(batch);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whether files wait whose names were not kept and all the others are read; asking takes the answer back. */
    boolean takeMoreOnDisk() {
        lock.lock();
        try {
            boolean look = moreOnDisk && onDisk.isEmpty();
            moreOnDisk = moreOnDisk && !look;
            return look;
        } finally {
            lock.unlock();
        }
    }

    /** The first batches, up to the limits of one request; they stay in the queue until removed. */
    List<Batch> peek(int maxItems, int maxCharacters) {
        lock.lock();
        try {
            List<Batch> first = new ArrayList<>();
            int items = 0;
            int text = 0;
            for (Batch batch : batches) {
                items += batch.items().size();
                text += batch.characters();
                if (!first.isEmpty() && (items > maxItems || text > maxCharacters)) {
                    break;
                }
                first.add(batch);
            }
            return first;
        } finally {
            lock.unlock();
        }
    }

    void remove(Batch batch) {
        lock.lock();
        try {
            if (batches.remove(batch)) {
                files.remove(batch.file());
                characters -= batch.characters();
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** How many results wait; a file that has not been read counts as one. */
    int size() {
        lock.lock();
        try {
            return batches.stream().mapToInt(batch -> batch.items().size()).sum() + onDisk.size();
        } finally {
            lock.unlock();
        }
    }

    /** The batches that are in memory only. */
    List<Batch> withoutFile() {
        lock.lock();
        try {
            return batches.stream().filter(batch -> batch.file() == null).toList();
        } finally {
            lock.unlock();
        }
    }

    /** Puts a batch that now has a file, last, in the place of the one that had none. */
    void replace(Batch without, Batch with) {
        lock.lock();
        try {
            if (batches.remove(without)) {
                batches.add(with);
                files.add(with.file());
            }
        } finally {
            lock.unlock();
        }
    }

    boolean contains(Path file) {
        lock.lock();
        try {
            return files.contains(file);
        } finally {
            lock.unlock();
        }
    }

    /** Nobody waits for room any more. */
    void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private boolean fits(Batch batch) {
        return batches.isEmpty() || characters + batch.characters() <= capacity;
    }

    private void addToMemory(Batch batch) {
        batches.add(batch);
        if (batch.file() != null) {
            files.add(batch.file());
        }
        characters += batch.characters();
    }

    private void addName(Path file) {
        if (onDisk.size() < namesToKeep) {
            onDisk.add(file);
        } else {
            moreOnDisk = true;
        }
    }
}
