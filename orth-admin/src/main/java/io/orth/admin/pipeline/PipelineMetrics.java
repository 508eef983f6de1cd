package io.orth.admin.pipeline;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Counts what this node does to tasks, the outbox and runs that need repair. */
final class PipelineMetrics {

    /** Types of targets are chosen by users; the rest is counted as one. */
    private static final int MOST_TARGETS = 100;

    private static final String OTHER = "other";

    private static final Duration[] TASK_BOUNDS = {
        Duration.ofMillis(100),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofSeconds(5),
        Duration.ofSeconds(15),
        Duration.ofMinutes(1),
        Duration.ofMinutes(5),
        Duration.ofMinutes(30),
        Duration.ofHours(2)
    };

    private static final Duration[] SEND_BOUNDS = {
        Duration.ofMillis(5),
        Duration.ofMillis(10),
        Duration.ofMillis(25),
        Duration.ofMillis(50),
        Duration.ofMillis(100),
        Duration.ofMillis(250),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofSeconds(5),
        Duration.ofSeconds(30),
        Duration.ofMinutes(5)
    };

    /** How a promise of the outbox was tried to be kept. */
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
    private final AtomicLong backlog = new AtomicLong();
    private final AtomicLong pending = new AtomicLong();
    private final AtomicLong parked = new AtomicLong();
    private final AtomicLong oldestMillis = new AtomicLong();

    PipelineMetrics(MeterRegistry registry) {
        this.registry = registry;
        claimed = Counter.builder("hydrate.jobs.claimed")
                .description("attempts at tasks that executors have claimed")
                .register(registry);
        durations = Timer.builder("hydrate.job.duration")
                .description("how long attempts at tasks took that ended them")
                .serviceLevelObjectives(TASK_BOUNDS)
                .register(registry);
        latencies = Timer.builder("outbox.send.latency")
                .description("from when a task was promised to be sent until it was")
                .serviceLevelObjectives(SEND_BOUNDS)
                .register(registry);
        notReconciled = Counter.builder("reconciler.failures")
                .description("runs that the reconciler could not bring forward, each time")
                .register(registry);
        for (Sent result : Sent.values()) {
            attempts(result);
        }
        for (Repair repair : Repair.values()) {
            repairs(repair);
        }
        registry.gauge("hydrate.jobs.backlog", backlog);
        registry.gauge("outbox.pending", pending);
        registry.gauge("outbox.parked", parked);
        registry.gauge("outbox.oldest.pending.seconds", oldestMillis, millis -> millis.get() / 1_000.0);
    }

    /**
     * The others are there from then on too, at zero: what appears with a one has not risen. Readers know it as
     * {@code hydrate_jobs_created_total}, which Prometheus' library has no way to say: it is renamed on the way out.
     */
    void created(String target) {
        counter("hydrate.jobs.made", "tasks that were made", target).increment();
        completed(target);
        failed(target);
    }

    private Counter completed(String target) {
        return counter("hydrate.jobs.completed", "tasks that were completed", target);
    }

    private Counter failed(String target) {
        return counter("hydrate.jobs.failed", "tasks that have failed for good", target);
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

    void measured(long open, OutboxRepository.Figures outbox) {
        backlog.set(open);
        pending.set(outbox.pending());
        parked.set(outbox.parked());
        oldestMillis.set(outbox.oldest() == null ? 0 : Math.max(0, (long) (outbox.oldest() * 1_000)));
    }

    private Counter attempts(Sent result) {
        return Counter.builder("outbox.attempts")
                .description("tries to send what the outbox promises")
                .tag("result", result.name())
                .register(registry);
    }

    private Counter repairs(Repair kind) {
        return Counter.builder("reconciler.repairs")
                .description("what the reconciler had to put right")
                .tag("kind", kind.name())
                .register(registry);
    }

    private Counter counter(String name, String description, String target) {
        return Counter.builder(name)
                .description(description)
                .tag("target", label(target))
                .register(registry);
    }

    private String label(String target) {
        return targets.size() < MOST_TARGETS
                ? targets.computeIfAbsent(target, any -> any)
                : targets.getOrDefault(target, OTHER);
    }
}
