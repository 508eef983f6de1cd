package io.orth.admin.kernel;

import io.orth.runtime.Duty;
import io.orth.runtime.LoopObserver;
import java.time.Duration;

/**
 * Decides whether this node may declare executors dead: only after the node and its database have been healthy for a while. While either
 * is unavailable, no heartbeats can be recorded, so silence proves nothing.
 */
public final class Liveness implements LoopObserver {

    private final String watchedLoop;
    private final Duration wellFor;
    private final Duration longestGap;
    private final Ticker ticker;
    private long wellSinceNanos;
    private long lastPassNanos;
    private boolean failing;

    /** Observes the passes of {@code watchedLoop}, each of which must access the database. */
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

    /** Returns whether this node and its database are healthy now. */
    public synchronized boolean isWell() {
        return !failing && ticker.nanos() - lastPassNanos <= longestGap.toNanos();
    }

    /** Returns whether both have been healthy for {@code time} without a gap; for executors with longer heartbeat intervals. */
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
