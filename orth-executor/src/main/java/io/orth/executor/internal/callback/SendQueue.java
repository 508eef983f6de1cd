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
 * The results to send, in order: the head as batches in memory, bounded by the size of their text, the rest as file names. If
 * there are too many names as well, the queue reports that the directory must be listed.
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

    /** Adds a new batch. One that does not fit is kept as its file only; one without a file waits for space. */
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

    /** Adds files to the end of the queue. */
    void addFiles(Collection<Path> waiting) {
        lock.lock();
        try {
            waiting.forEach(this::addName);
        } finally {
            lock.unlock();
        }
    }

    /** Returns the file to read next; null if none waits or memory is nearly full. */
    Path nextFile() {
        lock.lock();
        try {
            return characters <= capacity / 2 ? onDisk.poll() : null;
        } finally {
            lock.unlock();
        }
    }

    /** Adds the batch read from the next file. */
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

    /** Returns whether files wait whose names were not kept and all others have been read; resets that state. */
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

    /** Returns the first batches, up to the limits of one request. They stay in the queue until removed. */
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

    /** Returns the number of waiting results; an unread file counts as one. */
    int size() {
        lock.lock();
        try {
            return batches.stream().mapToInt(batch -> batch.items().size()).sum() + onDisk.size();
        } finally {
            lock.unlock();
        }
    }

    /** Returns the batches that exist in memory only. */
    List<Batch> withoutFile() {
        lock.lock();
        try {
            return batches.stream().filter(batch -> batch.file() == null).toList();
        } finally {
            lock.unlock();
        }
    }

    /** Replaces a batch without a file with one that has a file, and moves it to the end. */
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

    /** Ends all waiting for space. */
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
