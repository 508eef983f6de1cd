package io.orth.executor.internal.log;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the files of one log within its size limit. The head takes the first half of the limit. Further output alternates
 * between two tails of a quarter each; when the newer one is full, the older one is deleted.
 *
 * <pre>
 *   head ──full──► tail1 ──full──► tail2 ──full──► tail1 (anew) ──full──► …
 * </pre>
 *
 * A tail is deleted and recreated, never overwritten, so a reader of the old file still sees its content. A line is not split
 * between files unless it alone exceeds a file's limit.
 */
final class LogWriter {

    private static final Logger log = LoggerFactory.getLogger(LogWriter.class);

    private final Path head;
    private final long maxBytes;
    private final ReentrantLock lock = new ReentrantLock();

    // Guarded by lock.
    private OutputStream out;
    private Path file;
    private long room;
    private boolean begun;
    private boolean closed;
    private boolean failing;
    private long linesLost;

    /** Accessed only within an operation on the map that shares the writer, which admits one thread at a time. */
    private int users;

    LogWriter(Path head, long maxBytes) {
        this.head = head;
        this.maxBytes = maxBytes;
    }

    void addUser() {
        users++;
    }

    /** Removes a user. Returns true if it was the last one; the writer is then closed. */
    boolean removeUser() {
        if (--users > 0) {
            return false;
        }
        lock.lock();
        try {
            closed = true;
            closeFile();
        } finally {
            lock.unlock();
        }
        return true;
    }

    /** Appends a line. Returns false if the writer is closed. */
    boolean append(byte[] line) {
        lock.lock();
        try {
            if (!closed) {
                tryToWrite(line);
            }
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    private void tryToWrite(byte[] line) {
        try {
            if (out == null) {
                openLast();
            }
            if (linesLost > 0) {
                write("[%,d lines are missing here: they could not be written]\n"
                        .formatted(linesLost)
                        .getBytes(StandardCharsets.UTF_8));
                linesLost = 0;
            }
            write(line);
            recovered();
        } catch (IOException e) {
            failed(e);
        }
    }

    private void write(byte[] line) throws IOException {
        int written = 0;
        while (written < line.length) {
            if (begun && room < line.length - written) {
                beginNextTail();
            }
            int length = (int) Math.min(room, line.length - written);
            int end = written + length == line.length
                    ? line.length
                    : Utf8.endOfLastCharacter(line, written, written + length);
            out.write(line, written, end - written);
            room -= end - written;
            begun = true;
            written = end;
        }
    }

    /** Opens the most recently written file, also one of an earlier writer. */
    private void openLast() throws IOException {
        Files.createDirectories(head.getParent());
        List<LogPart> parts = LogPart.openAll(head);
        try {
            LogPart last = parts.isEmpty() ? null : parts.get(parts.size() - 1);
            file = last == null ? head : last.file();
            long used = last == null ? 0 : last.size() + last.headerBytes();
            openFile(used);
            begun = last != null && last.size() > 0;
        } finally {
            LogPart.closeAll(parts);
        }
    }

    private void beginNextTail() throws IOException {
        closeFile();
        byte[] header;
        List<LogPart> parts = LogPart.openAll(head);
        try {
            LogPart finished = parts.get(parts.size() - 1);
            header = LogPart.header(finished.end(), finished.firstLine() + lineEndsIn(finished));
            file = LogPart.after(finished.file(), head);
        } finally {
            LogPart.closeAll(parts);
        }
        Files.deleteIfExists(file);
        openFile(0);
        out.write(header);
        room -= header.length;
        begun = false;
    }

    private void openFile(long used) throws IOException {
        // Not a channel: an interrupt of the handler would close it.
        out = new FileOutputStream(file.toFile(), true);
        room = Math.max(0, (file.equals(head) ? maxBytes / 2 : maxBytes / 4) - used);
    }

    private static long lineEndsIn(LogPart part) throws IOException {
        ByteBuffer block = ByteBuffer.allocate(64 * 1024);
        long end = part.end();
        long lineEnds = 0;
        for (long from = part.start(); from < end; from += block.position()) {
            part.read(from, block.clear());
            for (int i = 0; i < block.position(); i++) {
                lineEnds += block.array()[i] == '\n' ? 1 : 0;
            }
        }
        return lineEnds;
    }

    private void failed(IOException e) {
        linesLost++;
        // It is unknown how much of the line was written. The file is examined again before the next line.
        closeFile();
        if (!failing) {
            failing = true;
            log.atWarn().setCause(e).addKeyValue("file", head).log("a run's log cannot be written");
        }
    }

    private void recovered() {
        if (failing) {
            failing = false;
            log.atInfo().addKeyValue("file", head).log("a run's log can be written again");
        }
    }

    private void closeFile() {
        OutputStream closing = out;
        out = null;
        try {
            if (closing != null) {
                closing.close();
            }
        } catch (IOException e) {
            log.atDebug().setCause(e).addKeyValue("file", file).log("a log file could not be closed");
        }
    }
}
