package io.orth.admin.queue;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.orth.admin.queue.QueueReports.Figures;
import io.orth.runtime.Duty;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.stereotype.Component;

/** Publishes gauges on every node: the number of messages in the cluster's queues, and how long the oldest has been due. */
@Component
final class QueueWatch implements Duty {

    private static final Duration LATELY = Duration.ofMinutes(1);

    /** Sum over the queues that share a label, and the age of their oldest message. */
    private record Shown(long waiting, long running, long dead, double oldestSeconds) {

        private Shown plus(Shown other) {
            return new Shown(
                    waiting + other.waiting,
                    running + other.running,
                    dead + other.dead,
                    Math.max(oldestSeconds, other.oldestSeconds));
        }
    }

    private final Queues queues;
    private final QueueReports reports;
    private final QueueMetrics metrics;
    private final Clock clock;
    private final MultiGauge depth;
    private final MultiGauge oldest;

    QueueWatch(Queues queues, QueueReports reports, QueueMetrics metrics, MeterRegistry registry, Clock clock) {
        this.queues = queues;
        this.reports = reports;
        this.metrics = metrics;
        this.clock = clock;
        this.depth = MultiGauge.builder("orth.queue.depth")
                .description("messages that wait, that are with executors, and that were given up")
                .register(registry);
        this.oldest = MultiGauge.builder("orth.queue.oldest")
                .description("for how long the oldest waiting message has been due")
                .baseUnit("seconds")
                .register(registry);
    }

    @Override
    public Pass run() {
        List<Queue> all = queues.list();
        Instant now = clock.instant();
        Map<Integer, Figures> figures = reports.figures(all, now, LATELY);
        Map<String, Shown> shown = new TreeMap<>();
        for (Queue queue : all) {
            shown.merge(metrics.label(queue.name()), shown(figures.get(queue.id()), now), Shown::plus);
        }
        List<MultiGauge.Row<?>> depths = new ArrayList<>();
        List<MultiGauge.Row<?>> ages = new ArrayList<>();
        shown.forEach((queue, of) -> {
            depths.add(depth(queue, MessageStatus.WAITING, of.waiting()));
            depths.add(depth(queue, MessageStatus.RUNNING, of.running()));
            depths.add(depth(queue, MessageStatus.DEAD, of.dead()));
            ages.add(MultiGauge.Row.of(Tags.of("queue", queue), of.oldestSeconds()));
        });
        depth.register(depths, true);
        oldest.register(ages, true);
        return Pass.DRAINED;
    }

    private static Shown shown(Figures figures, Instant now) {
        return new Shown(
                figures.waiting(),
                figures.running(),
                figures.dead(),
                figures.dueFor(now).toMillis() / 1_000.0);
    }

    private static MultiGauge.Row<?> depth(String queue, MessageStatus state, long messages) {
        return MultiGauge.Row.of(Tags.of("queue", queue, "state", state.name()), messages);
    }
}
