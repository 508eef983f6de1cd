package io.orth.admin.queue;

import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;

/** Histogram of times. The times of one step are added to those of a queue in one call. Thread-safe. */
final class TimeBuckets {

    /** Upper bounds of the buckets. One more bucket has the rest. */
    private static final long[] MILLIS = {
        5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000, 300_000, 1_800_000, 3_600_000
    };

    private static final double SECOND = 1_000;

    private final long[] counts = new long[MILLIS.length + 1];
    private long sumMillis;

    /** A snapshot. Counts are per bucket, not cumulative. */
    record Snapshot(List<Long> counts, double seconds) {}

    synchronized void add(long millis) {
        int bucket = 0;
        while (bucket < MILLIS.length && millis > MILLIS[bucket]) {
            bucket++;
        }
        counts[bucket]++;
        sumMillis += millis;
    }

    /** {@code step} must not be shared with other threads. */
    synchronized void addAll(TimeBuckets step) {
        for (int i = 0; i < counts.length; i++) {
            counts[i] += step.counts[i];
        }
        sumMillis += step.sumMillis;
    }

    synchronized Snapshot snapshot() {
        return new Snapshot(LongStream.of(counts).boxed().toList(), sumMillis / SECOND);
    }

    /** Returns the upper bounds in seconds. The last one is infinite. */
    static List<Double> bounds() {
        return DoubleStream.concat(
                        LongStream.of(MILLIS).mapToDouble(millis -> millis / SECOND),
                        DoubleStream.of(Double.POSITIVE_INFINITY))
                .boxed()
                .toList();
    }
}
