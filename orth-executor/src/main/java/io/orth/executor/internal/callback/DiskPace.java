package io.orth.executor.internal.callback;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Monitors whether results reach the disk in time. Nothing in the journal delays them, so late results mean a slow disk or a busy
 * machine. Logs a problem once, and its end once writes have been on time for a while.
 */
final class DiskPace {

    /** Maximum age of results that a killed process may lose. */
    static final Duration PROMISED = Duration.ofMillis(50);

    static final Duration CALM = Duration.ofMinutes(1);

    private static final Logger log = LoggerFactory.getLogger(DiskPace.class);

    private final LongSupplier nanos;

    /** Accessed by the journal's thread only. */
    private long lastLate;

    /** Written by the journal's thread only. */
    private volatile boolean late;

    /** @param nanos a monotonic clock */
    DiskPace(LongSupplier nanos) {
        this.nanos = nanos;
    }

    long now() {
        return nanos.getAsLong();
    }

    /** Returns whether a result was late and writes have not been on time for long enough since. */
    boolean isLate() {
        return late;
    }

    /** Records that a result reported at {@code reportedAt} is now on disk. */
    void written(long reportedAt) {
        long now = now();
        Duration taken = Duration.ofNanos(now - reportedAt);
        if (taken.compareTo(PROMISED) > 0) {
            lastLate = now;
            tellThatItIsLate(taken);
        } else if (late && now - lastLate > CALM.toNanos()) {
            late = false;
            log.info("results have been on disk within {} ms again for {} s", PROMISED.toMillis(), CALM.toSeconds());
        }
    }

    private void tellThatItIsLate(Duration taken) {
        if (!late) {
            late = true;
            log.warn(
                    "results reach the disk late: one took {} ms, more than {}; a crash now would cost that much of them",
                    taken.toMillis(),
                    PROMISED.toMillis());
        }
    }
}
