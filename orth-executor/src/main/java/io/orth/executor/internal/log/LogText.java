package io.orth.executor.internal.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/**
 * The retained output of a run as one text. Bytes and lines are numbered in the complete output, so a number stays valid when
 * more output is dropped.
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

    /** Returns the size of the complete output, including omitted parts, when the log was opened. */
    long size() {
        return exists() ? parts.get(parts.size() - 1).end() : 0;
    }

    /** Returns the first retained byte at or after {@code from}; the size if there is none. */
    long firstKept(long from) {
        for (LogPart part : parts) {
            if (from < part.end()) {
                return Math.max(from, part.start());
            }
        }
        return size();
    }

    /** Reads from a retained byte until {@code into} is full or its part ends. */
    void read(long from, ByteBuffer into) throws IOException {
        for (LogPart part : parts) {
            if (from >= part.start() && from < part.end()) {
                part.read(from, into);
                return;
            }
        }
    }

    /** Returns whether a complete part ends at this byte, so that the following text belongs to another part. */
    boolean isEndOfFinishedPart(long offset) {
        for (LogPart part : parts.subList(0, Math.max(0, parts.size() - 1))) {
            if (offset == part.end()) {
                return true;
            }
        }
        return false;
    }

    /** Returns the last part that starts at or before this line. The line itself may have been dropped. */
    LogPart partBefore(long line) {
        LogPart before = parts.get(0);
        for (LogPart part : parts) {
            before = part.firstLine() <= line ? part : before;
        }
        return before;
    }

    /** Returns the part that starts at this byte; null if there is none. */
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
