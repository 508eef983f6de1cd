package io.orth.executor.internal.script;

import io.orth.runtime.Threads;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the output of a script and its children line by line, on a separate thread because reading cannot be interrupted.
 *
 * <p>A background process of the script may hold the pipe open indefinitely. Once {@link #awaitEnd} has stopped waiting, further
 * output is read and dropped, so that the process neither blocks on a full pipe nor dies of a broken one.
 */
final class ScriptOutput {

    private static final Logger log = LoggerFactory.getLogger(ScriptOutput.class);

    private final CountDownLatch ended = new CountDownLatch(1);
    private final ReentrantLock lock = new ReentrantLock();

    // Guarded by lock.
    private final OutputLines lines;
    private boolean closed;

    /** As of {@link System#nanoTime}. */
    private volatile long heardAt = System.nanoTime();

    ScriptOutput(Consumer<String> sink) {
        this.lines = new OutputLines(sink);
    }

    /** Starts reading, on a platform thread because a read from a pipe would block the carrier of a virtual thread. */
    void readFrom(InputStream in, String thread) {
        Threads.service(thread, () -> read(in)).start();
    }

    /**
     * Called when the script has exited. Waits until no process holds the pipe any more, the output has been silent for
     * {@code silence}, or {@code longest} has passed. Nothing is passed on afterwards. Returns whether all output was read.
     */
    boolean awaitEnd(Duration silence, Duration longest) throws InterruptedException {
        long begun = System.nanoTime();
        try {
            while (true) {
                long now = System.nanoTime();
                long quietSince = heardAt - begun > 0 ? heardAt : begun;
                long patience = Math.min(begun + longest.toNanos(), quietSince + silence.toNanos()) - now;
                if (ended.await(patience, TimeUnit.NANOSECONDS)) {
                    return true;
                }
                if (patience <= 0) {
                    return false;
                }
            }
        } finally {
            close();
        }
    }

    private void read(InputStream pipe) {
        try (InputStream in = pipe) {
            byte[] buffer = new byte[OutputLines.MAX_BYTES];
            int length = in.read(buffer);
            while (length >= 0) {
                heardAt = System.nanoTime();
                add(buffer, length);
                length = in.read(buffer);
            }
        } catch (IOException e) {
            // The pipe has failed, which ends the output as well.
        } catch (Throwable e) {
            log.warn("the output of a script can no longer be read", e);
        } finally {
            close();
            ended.countDown();
        }
    }

    private void add(byte[] buffer, int length) {
        lock.lock();
        try {
            if (!closed) {
                lines.add(buffer, length);
            }
        } finally {
            lock.unlock();
        }
    }

    private void close() {
        lock.lock();
        try {
            if (!closed) {
                closed = true;
                lines.end();
            }
        } finally {
            lock.unlock();
        }
    }
}
