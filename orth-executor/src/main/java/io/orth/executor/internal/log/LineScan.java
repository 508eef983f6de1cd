package io.orth.executor.internal.log;

import io.orth.protocol.LogReply;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * A single pass over a log by lines. An unterminated last line is still being written and is not counted. An oversized line is
 * truncated. A line without a number marks omitted output.
 */
final class LineScan {

    private static final int BLOCK = 64 * 1024;
    private static final int BYTES_BETWEEN_MARKS = 1024 * 1024;

    private final LogText text;
    private final int fromLine;
    private final int maxBytes;
    private final Consumer<LineIndex.Mark> marks;
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

    /** The line being read: its number and its start. */
    private LineIndex.Mark current;

    private long lastMark;

    /** @param marks receives line starts */
    LineScan(LogText text, int fromLine, int maxBytes, Consumer<LineIndex.Mark> marks) {
        this.text = text;
        this.fromLine = fromLine;
        this.maxBytes = maxBytes;
        this.marks = marks;
    }

    /** @param start a line start at or before the first requested line */
    LogReply read(LineIndex.Mark start) throws IOException {
        current = start;
        lastMark = start.offset();
        ByteBuffer block = ByteBuffer.allocate(BLOCK);
        long offset = start.offset();
        while (kept.size() < maxBytes) {
            long next = text.firstKept(offset);
            if (next > offset) {
                leaveOut(offset, next);
            }
            text.read(next, block.clear());
            if (block.position() == 0) {
                break;
            }
            take(block.array(), block.position(), next);
            offset = next + block.position();
        }
        marks.accept(current);
        int toLine = (int) Math.min(current.line() - 1, Integer.MAX_VALUE);
        return new LogReply(fromLine, toLine, kept.toString(StandardCharsets.UTF_8), false);
    }

    private void take(byte[] bytes, int length, long offset) {
        int begin = 0;
        for (int i = 0; i < length && kept.size() < maxBytes; i++) {
            if (bytes[i] == '\n') {
                addToLine(bytes, begin, i);
                begin = i + 1;
                endLine(offset + begin);
            }
        }
        if (kept.size() < maxBytes) {
            addToLine(bytes, begin, length);
        }
    }

    private void addToLine(byte[] bytes, int from, int to) {
        if (current.line() >= fromLine) {
            line.write(bytes, from, Math.min(to - from, maxBytes - line.size()));
        }
    }

    private void endLine(long nextLineAt) {
        if (current.line() >= fromLine) {
            line.write('\n');
            kept.writeBytes(line.toByteArray());
            line.reset();
        }
        current = new LineIndex.Mark(current.line() + 1, nextLineAt);
        if (nextLineAt - lastMark >= BYTES_BETWEEN_MARKS) {
            lastMark = nextLineAt;
            marks.accept(current);
        }
    }

    private void leaveOut(long from, long to) {
        LogPart part = text.partFrom(to);
        if (part == null) {
            return;
        }
        if (part.firstLine() > fromLine) {
            kept.writeBytes(line.toByteArray());
            kept.writeBytes((line.size() > 0 ? "\n" : "").getBytes(StandardCharsets.UTF_8));
            kept.writeBytes(LogText.cutMark(to - from).getBytes(StandardCharsets.UTF_8));
        }
        line.reset();
        current = new LineIndex.Mark(part.firstLine(), to);
    }
}
