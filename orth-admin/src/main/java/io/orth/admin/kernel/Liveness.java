package io.orth.admin.kernel;

import io.orth.runtime.Duty;
import io.orth.runtime.LoopObserver;
import java.time.Duration;

/**
 * Whether this node may call anyone dead: only after it and its database have been well for a while. While either was
 * away, nobody's beats could be recorded, so silence proves nothing.
 */
public final class Liveness implements LoopObserver {

    private final String watchedLoop;
    private final Duration wellFor;
    private final Duration longestGap;
    private final Ticker ticker;
    private long wellSinceNanos;
    private long lastPassNanos;
    private boolean failing;

    /** Judges by the passes of {@code watchedLoop}, which must touch the database on each. */
    public Liveness(String watchedLoop, Duration wellFor, Duration longestGap, Ticker ticker) {
        this.watchedLoop = watchedLoop;
        this.wellFor = wellFor;
        this.longestGap = longestGap;
        this.ticker = ticker;
        this.wellSinceNanos = ticker.nanos();
        this.lastPassNanos = wellSinceNanos;
    }

    public boolean mayJudge() {
        return wasWellFor(wellFor);
    }

    /** Whether this node and its database are well at the moment. */
    public synchronized boolean isWell() {
        return !failing && ticker.nanos() - lastPassNanos <= longestGap.toNanos();
    }

    /** Whether all has been well for that long without a gap; for verdicts on those that are heard of less often. */
    public synchronized boolean wasWellFor(Duration time) {
        long now = ticker.nanos();
        return now - lastPassNanos <= longestGap.toNanos() && now - wellSinceNanos >= time.toNanos();
    }

    @Override
    public synchronized void passed(String loop, Duty.Pass pass) {
        if (!loop.equals(watchedLoop)) {
            return;
        }
        long now = ticker.nanos();
        if (now - lastPassNanos > longestGap.toNanos()) {
            wellSinceNanos = now;
        }
        lastPassNanos = now;
        failing = false;
    }

    @Override
    public synchronized void failed(String loop, int failuresInARow, Throwable failure) {
        if (loop.equals(watchedLoop)) {
            wellSinceNanos = ticker.nanos();
            failing = true;
        }
    }
}
