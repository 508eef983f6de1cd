package io.orth.executor.internal.log;

import io.orth.protocol.LogRange;
import io.orth.protocol.LogRangeRequest;
import io.orth.protocol.LogReply;
import io.orth.protocol.LogRequest;
import io.orth.protocol.WireFormatException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.LongFunction;

/**
 * Reads logs by byte (Orth) and by line (XXL-JOB protocol). A response holds at most {@value #MAX_BYTES} bytes, plus a few where
 * it marks omitted output.
 */
public final class RunLogReader {

    static final int MAX_BYTES = 1024 * 1024;

    /** The length of the longest UTF-8 character; a smaller chunk could make no progress. */
    private static final int MIN_BYTES = 4;

    private final RunLogFiles files;
    private final LongFunction<Integer> progress;
    private final LineIndex lines = new LineIndex();

    /** @param progress returns the reported progress of the run with this log id, in percent; null if there is none */
    public RunLogReader(RunLogFiles files, LongFunction<Integer> progress) {
        this.files = files;
        this.progress = progress;
    }

    /** Reads bytes from {@code from}; both ends are adjusted so that no character is split. */
    public LogRange read(LogRangeRequest request) throws IOException {
        if (request.from() < 0) {
            throw new WireFormatException("'from' must not be negative");
        }
        try (LogText text = LogText.open(files.pathOf(request.logId(), request.logDateTime()))) {
            LogRange range = text.exists() ? read(text, request) : new LogRange(false, 0, 0, 0, "");
            return range.withProgress(progress.apply(request.logId()));
        }
    }

    private static LogRange read(LogText text, LogRangeRequest request) throws IOException {
        long size = text.size();
        long asked = Math.min(request.from(), size);
        long from = text.firstKept(asked);
        int most = (int) Math.min(size - from, Math.max(MIN_BYTES, Math.min(request.maxBytes(), MAX_BYTES)));
        ByteBuffer piece = ByteBuffer.allocate(most);
        text.read(from, piece);
        byte[] bytes = piece.array();
        int read = piece.position();
        int start = Utf8.firstCharacter(bytes, read);
        int end = text.isEndOfFinishedPart(from + read) ? read : Utf8.endOfLastCharacter(bytes, start, read);
        String content = new String(bytes, start, end - start, StandardCharsets.UTF_8);
        String mark = from > asked ? LogText.cutMark(from - asked) : "";
        return new LogRange(true, from + start, from + end, size, mark + content);
    }

    /** Reads whole lines from {@code fromLine}. Lines that do not fit are left for the next request. */
    public LogReply read(LogRequest request) throws IOException {
        Path file = files.pathOf(request.logId(), request.logDateTime());
        int fromLine = Math.max(1, request.fromLine());
        try (LogText text = LogText.open(file)) {
            if (!text.exists()) {
                return new LogReply(fromLine, 0, "There is no log file: the run has printed nothing.", true);
            }
            return new LineScan(text, fromLine, MAX_BYTES, mark -> lines.add(file, mark))
                    .read(startFor(file, text, fromLine));
        }
    }

    /** Returns the nearest known line start before the requested line; a tail stores its own. */
    private LineIndex.Mark startFor(Path file, LogText text, int fromLine) {
        LineIndex.Mark known = lines.before(file, fromLine);
        LogPart part = text.partBefore(fromLine);
        boolean usable = known.line() >= part.firstLine() && known.offset() <= text.size();
        return usable ? known : new LineIndex.Mark(part.firstLine(), part.start());
    }
}
