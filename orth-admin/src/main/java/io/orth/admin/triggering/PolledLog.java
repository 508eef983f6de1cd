package io.orth.admin.triggering;

import io.orth.admin.kernel.Ticker;
import io.orth.protocol.LogRange;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A log that is read by polling. Its last line is passed on once it is the same in two consecutive reads. */
final class PolledLog implements LiveLog {

    /** Reads the lines after a given line. */
    @FunctionalInterface
    interface Source {
        LogLines after(long line) throws IOException, InterruptedException;
    }

    private static final int LOOKS_PER_SIGN_OF_LIFE = 5;

    private final Source source;
    private final int maxBytes;
    private final Duration every;
    private final Ticker ticker;
    private final CountDownLatch closed = new CountDownLatch(1);

    // Accessed by the reader only.
    private long position;
    private long nextLookNanos;
    private LogLines before;
    private int quietLooks;

    PolledLog(Source source, long from, int maxBytes, Duration every, Ticker ticker) {
        this.source = source;
        this.position = from;
        this.maxBytes = maxBytes;
        this.every = every;
        this.ticker = ticker;
        this.nextLookNanos = ticker.nanos() + every.toNanos();
    }

    @Override
    public Optional<LogRange> next(Duration patience) throws IOException, InterruptedException {
        long wait = nextLookNanos - ticker.nanos();
        if (wait > 0 && closed.await(Math.min(wait, patience.toNanos()), TimeUnit.NANOSECONDS)) {
            throw new IOException("the reader has closed it");
        }
        if (nextLookNanos - ticker.nanos() > 0) {
            return Optional.empty();
        }
        return look();
    }

    private Optional<LogRange> look() throws IOException, InterruptedException {
        LogLines found = source.after(position);
        boolean lastIsWhole =
                before != null && before.upTo() == found.upTo() && Objects.equals(before.last(), found.last());
        before = found;
        LogRange range = found.range(maxBytes, !lastIsWhole);
        boolean isCut = range.to() < range.size();
        nextLookNanos = ticker.nanos() + (isCut ? 0 : every.toNanos());
        position = range.to();
        quietLooks = range.to() > range.from() ? 0 : quietLooks + 1;
        boolean signOfLife = quietLooks % LOOKS_PER_SIGN_OF_LIFE == 0;
        return signOfLife ? Optional.of(range) : Optional.empty();
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
