package io.orth.executor.internal.callback;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether results reach the disk in time. Nothing in the journal makes one wait, so if they do not, the disk is slow or the
 * machine is busy; the log says so once, and once when it has been well for a while.
 */
final class DiskPace {

    /** What a process that is killed may lose. */
    static final Duration PROMISED = Duration.ofMillis(50);

    static final Duration CALM = Duration.ofMinutes(1);

    private static final Logger log = LoggerFactory.getLogger(DiskPace.class);

    private final LongSupplier nanos;

    /** Only the journal's thread touches it. */
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

    /** Whether a result was late and it has not been well for a while since. */
    boolean isLate() {
        return late;
    }

    /** A result that was reported at {@code reportedAt} is on disk now. */
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
