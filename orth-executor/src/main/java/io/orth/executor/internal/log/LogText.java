package io.orth.executor.internal.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/**
 * All that is kept of a run's output, as one text. Bytes and lines are numbered in the whole output, so a number means the
 * same however much of the output has been left out in between since.
 */
final class LogText implements Closeable {

    private final List<LogPart> parts;

    private LogText(List<LogPart> parts) {
        this.parts = parts;
    }

    static LogText open(Path head) throws IOException {
        return new LogText(LogPart.openAll(head));
    }

    boolean exists() {
        return !parts.isEmpty();
    }

    /** How much was written, with what is left out, when it was opened. */
    long size() {
        return exists() ? parts.get(parts.size() - 1).end() : 0;
    }

    /** The first byte from {@code from} on that is kept; the size when there is none. */
    long firstKept(long from) {
        for (LogPart part : parts) {
            if (from < part.end()) {
                return Math.max(from, part.start());
            }
        }
        return size();
    }

    /** Reads from a kept byte on, until {@code into} is full or its part ends. */
    void read(long from, ByteBuffer into) throws IOException {
        for (LogPart part : parts) {
            if (from >= part.start() && from < part.end()) {
                part.read(from, into);
                return;
            }
        }
    }

    /** Whether a part that is finished ends here, so that whatever follows it belongs to another. */
    boolean isEndOfFinishedPart(long offset) {
        for (LogPart part : parts.subList(0, Math.max(0, parts.size() - 1))) {
            if (offset == part.end()) {
                return true;
            }
        }
        return false;
    }

    /** The last part that begins not after this line, which may nevertheless be in none. */
    LogPart partBefore(long line) {
        LogPart before = parts.get(0);
        for (LogPart part : parts) {
            before = part.firstLine() <= line ? part : before;
        }
        return before;
    }

    /** The part that begins at this byte; null when none does. */
    LogPart partFrom(long offset) {
        return parts.stream().filter(part -> part.start() == offset).findFirst().orElse(null);
    }

    static String cutMark(long bytes) {
        return "[%,d bytes of output are left out here: the log has reached its limit]\n".formatted(bytes);
    }

    @Override
    public void close() throws IOException {
        LogPart.closeAll(parts);
    }
}
