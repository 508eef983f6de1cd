package io.orth.admin.pipeline;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.orth.runtime.Duty.Pass;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.DoubleStream;
import org.springframework.stereotype.Component;

/** Metrics of the tasks, outbox entries and repairs that this node processes. */
@Component
final class PipelineMetrics {

    /** Users choose target types. Further types are counted under one label. */
    private static final int MOST_TARGETS = 100;

    private static final String OTHER = "other";

    private static final Duration[] TASK_BOUNDS = seconds(0.1, 0.5, 1, 5, 15, 60, 300, 1_800, 7_200);
    private static final Duration[] SEND_BOUNDS = seconds(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 300);

    /** Where counting of outbox entries stops. */
    private static final int COUNT_TO = 1_000_000;

    /** Result of a delivery attempt of an outbox entry. */
    enum Sent {
        SENT,
        FAILED,
        PARKED
    }

    private final MeterRegistry registry;
    private final Map<String, String> targets = new ConcurrentHashMap<>();
    private final Counter claimed;
    private final Timer durations;
    private final Timer latencies;
    private final Counter notReconciled;
    private volatile long backlog;
    private volatile OutboxRepository.Figures outbox = new OutboxRepository.Figures(0, 0, 0);

    PipelineMetrics(MeterRegistry registry) {
        this.registry = registry;
        claimed = Counter.builder("hydrate.jobs.claimed")
                .description("attempts at tasks that executors have claimed")
                .register(registry);
        durations = Timer.builder("hydrate.job.duration")
                .description("duration of the last attempt of finished tasks")
                .serviceLevelObjectives(TASK_BOUNDS)
                .register(registry);
        latencies = Timer.builder("outbox.send.latency")
                .description("time from the outbox entry of a task to its delivery")
                .serviceLevelObjectives(SEND_BOUNDS)
                .register(registry);
        notReconciled = Counter.builder("reconciler.failures")
                .description("failed attempts to reconcile a run")
                .register(registry);
        for (Sent result : Sent.values()) {
            attempts(result);
        }
        for (Repair repair : Repair.values()) {
            repairs(repair);
        }
        registry.gauge("hydrate.jobs.backlog", this, metrics -> metrics.backlog);
        registry.gauge("outbox.pending", this, metrics -> metrics.outbox.pending());
        registry.gauge("outbox.parked", this, metrics -> metrics.outbox.parked());
        registry.gauge("outbox.oldest.pending.seconds", this, metrics -> metrics.outbox.oldest());
    }

    private static Duration[] seconds(double... bounds) {
        return DoubleStream.of(bounds)
                .mapToObj(bound -> Duration.ofMillis(Math.round(bound * 1_000)))
                .toArray(Duration[]::new);
    }

    /**
     * Also registers the other counters of this target at zero: Prometheus sees no increase in a counter that first appears with one. The
     * metric is published as {@code hydrate_jobs_created_total}. The Prometheus library cannot produce this name, so the metric is renamed
     * on export.
     */
    void created(String target) {
        ofTarget("hydrate.jobs.made", "created tasks", target).increment();
        completed(target);
        failed(target);
    }

    private Counter completed(String target) {
        return ofTarget("hydrate.jobs.completed", "completed tasks", target);
    }

    private Counter failed(String target) {
        return ofTarget("hydrate.jobs.failed", "tasks that failed without a further attempt", target);
    }

    void moved(String target, PipelineTaskStatus from, PipelineTaskStatus to, Instant startedAt, Instant at) {
        switch (to) {
            case CLAIMED -> claimed.increment();
            case COMPLETED -> completed(target).increment();
            case FAILED -> failed(target).increment();
            case PENDING, RUNNING, CANCELLED -> {}
        }
        if (from == PipelineTaskStatus.RUNNING && to != PipelineTaskStatus.PENDING && startedAt != null) {
            durations.record(Duration.between(startedAt, at).toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    void sent(double seconds) {
        attempts(Sent.SENT).increment();
        latencies.record((long) (seconds * 1_000_000_000L), TimeUnit.NANOSECONDS);
    }

    void notSent(boolean forGood) {
        attempts(forGood ? Sent.PARKED : Sent.FAILED).increment();
    }

    void repaired(Repair kind, long count) {
        repairs(kind).increment((double) count);
    }

    void notReconciled() {
        notReconciled.increment();
    }

    /** Measures the backlog of tasks and outbox entries of the whole cluster. The result is the same on every node. */
    Pass measure(RootRepository roots, OutboxRepository entries) {
        backlog = roots.openTasks();
        outbox = entries.figures(COUNT_TO);
        return Pass.DRAINED;
    }

    private Counter attempts(Sent result) {
        return counter("outbox.attempts", "attempts to send a task", "result", result.name());
    }

    private Counter repairs(Repair kind) {
        return counter("reconciler.repairs", "repairs by kind", "kind", kind.name());
    }

    private Counter ofTarget(String name, String description, String target) {
        return counter(name, description, "target", label(target));
    }

    private Counter counter(String name, String description, String tag, String value) {
        return Counter.builder(name).description(description).tag(tag, value).register(registry);
    }

    private String label(String target) {
        return targets.size() < MOST_TARGETS
                ? targets.computeIfAbsent(target, any -> any)
                : targets.getOrDefault(target, OTHER);
    }
}
