package io.orth.executor.internal.log;

import io.orth.executor.internal.transport.MessageStream;
import io.orth.protocol.LogRange;
import io.orth.protocol.LogRangeRequest;
import io.orth.protocol.WireFormatException;
import io.orth.protocol.WireMessage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongPredicate;

/** Streams logs while they grow. The number of concurrent streams is limited; a rejected reader can still request chunks. */
public final class LogStreams {

    private final RunLogFiles files;
    private final RunLogReader reader;
    private final LongPredicate goesOn;
    private final int most;
    private final AtomicInteger open = new AtomicInteger();

    /** @param goesOn tests whether the run with this log id waits or runs here */
    public LogStreams(RunLogFiles files, RunLogReader reader, LongPredicate goesOn, int most) {
        this.files = files;
        this.reader = reader;
        this.goesOn = goesOn;
        this.most = most;
    }

    /** Streams the log from byte {@code from}. The stream ends when the run has finished and everything is sent. */
    public MessageStream open(LogRangeRequest request) {
        if (request.from() < 0) {
            throw new WireFormatException("'from' must not be negative");
        }
        Path file = files.pathOf(request.logId(), request.logDateTime());
        if (open.incrementAndGet() > most) {
            open.decrementAndGet();
            throw new WireFormatException("%d logs are being streamed already; ask for pieces instead".formatted(most));
        }
        return new LogStream(file, request);
    }

    /** Returns the number of open streams. */
    int size() {
        return open.get();
    }

    private final class LogStream implements MessageStream {

        private final Path file;
        private final LogRangeRequest request;
        private final AtomicBoolean closed = new AtomicBoolean();

        /** Set before the stream is used. */
        private Runnable watcher;

        /** The first byte not yet sent. Consecutive calls of next() may run on different threads. */
        private volatile long offset;

        LogStream(Path file, LogRangeRequest request) {
            this.file = file;
            this.request = request;
            this.offset = request.from();
        }

        /** Checks whether the run is unfinished before it reads the log, so that the last line is not missed. */
        @Override
        public Next next() throws IOException {
            boolean ended = !goesOn.test(request.logId());
            LogRange range = reader.read(
                    new LogRangeRequest(request.logId(), request.logDateTime(), offset, request.maxBytes()));
            boolean last = ended && range.to() <= offset;
            if (range.to() > offset) {
                offset = range.to();
                return new Next(range, false);
            }
            return last ? new Next(range.asEnd(), true) : new Next(null, false);
        }

        @Override
        public WireMessage stillThere() {
            return new LogRange(true, offset, offset, offset, "");
        }

        @Override
        public void onMore(Runnable more) {
            watcher = more;
            files.watch(file, more);
        }

        @Override
        public void close() {
            if (closed.compareAndSet(false, true)) {
                open.decrementAndGet();
                if (watcher != null) {
                    files.unwatch(file, watcher);
                }
            }
        }
    }
}
