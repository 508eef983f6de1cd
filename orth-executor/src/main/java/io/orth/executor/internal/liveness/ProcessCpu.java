package io.orth.executor.internal.liveness;

import io.orth.protocol.WorkerMetrics;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Measures the share of the machine's cores that this process uses between two calls. */
final class ProcessCpu {

    /** The system counts in steps of 10 ms; a shorter interval than this would yield mostly noise. */
    private static final long SHORTEST_NANOS = Duration.ofSeconds(1).toNanos();

    private final Supplier<Optional<Duration>> used;
    private final LongSupplier nanos;

    // Guarded by this: the time, the CPU time and the result of the last measurement.
    private long measuredAt;
    private Optional<Duration> usedThen;
    private double share = WorkerMetrics.UNKNOWN;

    ProcessCpu() {
        this(() -> ProcessHandle.current().info().totalCpuDuration(), System::nanoTime);
    }

    /** @param used CPU time of the process so far; empty if the system does not provide it */
    ProcessCpu(Supplier<Optional<Duration>> used, LongSupplier nanos) {
        this.used = used;
        this.nanos = nanos;
        this.measuredAt = nanos.getAsLong();
        this.usedThen = used.get();
    }

    /** Returns the share from 0 to 1 with two decimals; negative if unknown. */
    synchronized double share(int cores) {
        long now = nanos.getAsLong();
        long elapsed = now - measuredAt;
        if (elapsed >= SHORTEST_NANOS) {
            Optional<Duration> usedNow = used.get();
            share = usedThen.flatMap(then -> usedNow.map(time -> share(time.minus(then), elapsed, cores)))
                    .orElse(WorkerMetrics.UNKNOWN);
            measuredAt = now;
            usedThen = usedNow;
        }
        return share;
    }

    private static double share(Duration used, long elapsed, int cores) {
        double ofAll = (double) used.toNanos() / elapsed / cores;
        return Math.round(100 * Math.max(0, Math.min(1, ofAll))) / 100.0;
    }
}
