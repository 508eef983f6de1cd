package io.orth.admin.registry;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.orth.protocol.WorkerMetrics;
import io.orth.runtime.Duty;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Shows on every node how the executors that are online do. Those that are gone are shown no more; an executor that comes back at
 * the same address goes on where it was.
 */
final class ExecutorWatch implements Duty {

    /** As many as are shown; the newest, should there be more. */
    static final int MOST = 500;

    private static final double MEGABYTE = 1_048_576;

    private record Shown(MultiGauge gauge, ToDoubleFunction<WorkerMetrics> value) {}

    private final Executors executors;
    private final List<Shown> gauges;

    ExecutorWatch(Executors executors, MeterRegistry registry) {
        this.executors = executors;
        this.gauges = List.of(
                shown(registry, "orth.executor.cpu", "load average divided by cores", null, m -> known(m.cpu())),
                shown(
                        registry,
                        "orth.executor.process.cpu",
                        "share of the cores that the process used",
                        "ratio",
                        metrics -> known(metrics.processCpu())),
                bytes(
                        registry,
                        "orth.executor.rss",
                        "memory of the process",
                        m -> m.ram().rss()),
                bytes(
                        registry,
                        "orth.executor.heap.used",
                        "heap in use",
                        m -> m.ram().heapUsed()),
                bytes(
                        registry,
                        "orth.executor.heap.total",
                        "heap reserved",
                        m -> m.ram().heapTotal()),
                shown(registry, "orth.executor.running", "runs and messages it works on", null, WorkerMetrics::running),
                shown(
                        registry,
                        "orth.executor.queued",
                        "runs and messages that wait in it",
                        null,
                        WorkerMetrics::queued));
    }

    private static Shown bytes(
            MeterRegistry registry, String name, String description, ToDoubleFunction<WorkerMetrics> megabytes) {
        return shown(registry, name, description, "bytes", metrics -> megabytes.applyAsDouble(metrics) * MEGABYTE);
    }

    private static Shown shown(
            MeterRegistry registry,
            String name,
            String description,
            String unit,
            ToDoubleFunction<WorkerMetrics> value) {
        return new Shown(
                MultiGauge.builder(name).description(description).baseUnit(unit).register(registry), value);
    }

    /** Some systems do not say. */
    private static double known(double value) {
        return value < 0 ? Double.NaN : value;
    }

    @Override
    public Pass run() {
        Collection<Executor> online = byAddress(executors.onlineWithMetrics(MOST));
        for (Shown shown : gauges) {
            shown.gauge()
                    .register(
                            online.stream()
                                    .map(executor -> MultiGauge.Row.of(
                                            Tags.of("group", executor.groupName(), "executor", executor.address()),
                                            shown.value().applyAsDouble(executor.metrics())))
                                    .toList(),
                            true);
        }
        return Pass.DRAINED;
    }

    /** Until a predecessor is called dead there may be two at an address: the newer one counts. */
    private static Collection<Executor> byAddress(List<Executor> newestFirst) {
        Map<List<String>, Executor> first = new LinkedHashMap<>();
        newestFirst.forEach(each -> first.putIfAbsent(List.of(each.groupName(), each.address()), each));
        return first.values();
    }
}
