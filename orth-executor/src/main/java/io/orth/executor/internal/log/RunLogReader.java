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
 * Reads logs by byte (ours) and by line (the compatible way). One answer holds at most {@value #MAX_BYTES} bytes, and a few
 * more where it says that output was left out.
 */
public final class RunLogReader {

    static final int MAX_BYTES = 1024 * 1024;

    /** The longest character; less could make no progress. */
    private static final int MIN_BYTES = 4;

    private final RunLogFiles files;
    private final LongFunction<Integer> progress;
    private final LineIndex lines = new LineIndex();

    /** @param progress how far the run with this log id says it is, in percent; null if it does not */
    public RunLogReader(RunLogFiles files, LongFunction<Integer> progress) {
        this.files = files;
        this.progress = progress;
    }

    /** Bytes from {@code from} on, moved and cut so that no character is broken. */
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

    /** Whole lines from {@code fromLine} on; what does not fit is left for the next question. */
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

    /** The nearest known beginning of a line before the wanted one; a tail knows its own. */
    private LineIndex.Mark startFor(Path file, LogText text, int fromLine) {
        LineIndex.Mark known = lines.before(file, fromLine);
        LogPart part = text.partBefore(fromLine);
        boolean usable = known.line() >= part.firstLine() && known.offset() <= text.size();
        return usable ? known : new LineIndex.Mark(part.firstLine(), part.start());
    }
}
