package io.orth.executor.internal.log;

import io.orth.protocol.LogRange;
import io.orth.protocol.LogRangeRequest;
import io.orth.protocol.LogReply;
import io.orth.protocol.LogRequest;
import io.orth.protocol.WireFormatException;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/** Reads log files by byte (ours) and by line (the compatible way); one answer holds at most {@value #MAX_BYTES} bytes. */
public final class RunLogReader {

    static final int MAX_BYTES = 1024 * 1024;

    /** The longest character; less could make no progress. */
    private static final int MIN_BYTES = 4;

    private final RunLogFiles files;

    public RunLogReader(RunLogFiles files) {
        this.files = files;
    }

    /** Bytes from {@code from} on, moved and cut so that no character is broken. */
    public LogRange read(LogRangeRequest request) throws IOException {
        if (request.from() < 0) {
            throw new WireFormatException("'from' must not be negative");
        }
        Path file = files.pathOf(request.logId(), request.logDateTime());
        try (SeekableByteChannel channel = open(file)) {
            long size = channel.size();
            long from = Math.min(request.from(), size);
            ByteBuffer piece = ByteBuffer.allocate((int)
                    Math.min(size - from, Math.max(MIN_BYTES, Math.min(request.maxBytes(), MAX_BYTES))));
            channel.position(from);
            while (piece.hasRemaining() && channel.read(piece) >= 0) {
                // Until it is full or the file has ended.
            }
            byte[] bytes = piece.array();
            int start = Utf8.firstCharacter(bytes, piece.position());
            int end = Utf8.endOfLastCharacter(bytes, start, piece.position());
            String text = new String(bytes, start, end - start, StandardCharsets.UTF_8);
            return new LogRange(true, from + start, from + end, size, text);
        } catch (NoSuchFileException e) {
            return new LogRange(false, 0, 0, 0, "");
        }
    }

    /** Whole lines from {@code fromLine} on; what does not fit is left for the next question. */
    public LogReply read(LogRequest request) throws IOException {
        Path file = files.pathOf(request.logId(), request.logDateTime());
        int fromLine = Math.max(1, request.fromLine());
        try (InputStream in = new BufferedInputStream(
                Files.newInputStream(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS), 64 * 1024)) {
            return new LineScan(fromLine).read(in);
        } catch (NoSuchFileException e) {
            return new LogReply(fromLine, 0, "There is no log file: the run has printed nothing.", true);
        }
    }

    private static SeekableByteChannel open(Path file) throws IOException {
        return Files.newByteChannel(file, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
    }

    /** One reading of a file by lines. A last line without its end is still being written and is not counted; a huge one is cut. */
    private static final class LineScan {

        private final int fromLine;
        private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
        private final ByteArrayOutputStream line = new ByteArrayOutputStream();
        private int lines;

        LineScan(int fromLine) {
            this.fromLine = fromLine;
        }

        LogReply read(InputStream in) throws IOException {
            for (int b = in.read(); b >= 0 && !full(); b = in.read()) {
                if (lines + 1 >= fromLine && (line.size() < MAX_BYTES || b == '\n')) {
                    line.write(b);
                }
                if (b == '\n') {
                    lines++;
                    keepLine();
                }
            }
            return new LogReply(fromLine, lines, kept.toString(StandardCharsets.UTF_8), false);
        }

        private boolean full() {
            return kept.size() >= MAX_BYTES;
        }

        private void keepLine() {
            if (lines >= fromLine) {
                kept.writeBytes(line.toByteArray());
                line.reset();
            }
        }
    }
}
