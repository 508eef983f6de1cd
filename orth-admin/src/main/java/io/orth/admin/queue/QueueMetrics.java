package io.orth.admin.queue;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.orth.admin.queue.Tally.Count;
import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** Counters of this node's message operations, by queue. The counts of a step are added after its commit, all together. */
final class QueueMetrics {

    /** Maximum number of queues with their own series. Further queues share one. */
    static final int MOST_QUEUES = 500;

    static final String OTHERS = "other";

    private static final List<Double> BOUNDS = TimeBuckets.bounds();

    private record Series(Map<Count, Counter> counters, Counter refused, TimeBuckets waits, TimeBuckets runs) {}

    private final MeterRegistry registry;
    private final Map<String, Series> series = new ConcurrentHashMap<>();

    QueueMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    void count(String queue, Tally step) {
        Series of = of(queue);
        of.counters().forEach((count, counter) -> counter.increment(step.of(count)));
        of.waits().addAll(step.waits());
        of.runs().addAll(step.runs());
    }

    void refused(String queue, int results) {
        of(queue).refused().increment(results);
    }

    /** Returns the label of a queue. Creates its series with zeros: a series that first appears with a 1 shows no increase. */
    String label(String queue) {
        of(queue);
        return series.containsKey(queue) ? queue : OTHERS;
    }

    private Series of(String queue) {
        Series known = series.get(queue);
        return known == null ? enter(queue) : known;
    }

    private synchronized Series enter(String queue) {
        String label = series.containsKey(queue) || series.size() < MOST_QUEUES ? queue : OTHERS;
        return series.computeIfAbsent(label, this::series);
    }

    private Series series(String queue) {
        return new Series(
                Map.of(
                        Count.PUSHED, counter("orth.queue.enqueued", "pushed messages", queue),
                        Count.CLAIMED, counter("orth.queue.claimed", "claimed messages", queue),
                        Count.DONE, counter("orth.queue.completed", "completed messages", queue),
                        Count.FAILED,
                                counter("orth.queue.failed", "attempts that failed, or whose executor was lost", queue),
                        Count.DEAD, counter("orth.queue.dead", "dead-lettered messages", queue)),
                counter("orth.queue.results.refused", "rejected results", queue),
                new TimeBuckets(),
                new TimeBuckets());
    }

    private Counter counter(String name, String description, String queue) {
        return Counter.builder(name)
                .description(description)
                .tag("queue", queue)
                .register(registry);
    }

    /** Returns collectors for Prometheus. Meter registries accept no batches of times. */
    List<Collector> histograms() {
        return List.of(
                histogram(
                        "orth_queue_wait_seconds",
                        "time between the due time of messages and their claim",
                        Series::waits),
                histogram("orth_queue_run_seconds", "duration of attempts", Series::runs));
    }

    private Collector histogram(String name, String help, Function<Series, TimeBuckets> times) {
        return () -> {
            HistogramSnapshot.Builder all =
                    HistogramSnapshot.builder().name(name).help(help);
            series.forEach(
                    (queue, of) -> all.dataPoint(point(queue, times.apply(of).snapshot())));
            return all.build();
        };
    }

    private static HistogramDataPointSnapshot point(String queue, TimeBuckets.Snapshot times) {
        return HistogramDataPointSnapshot.builder()
                .labels(Labels.of("queue", queue))
                .classicHistogramBuckets(ClassicHistogramBuckets.of(BOUNDS, times.counts()))
                .sum(times.seconds())
                .build();
    }
}
