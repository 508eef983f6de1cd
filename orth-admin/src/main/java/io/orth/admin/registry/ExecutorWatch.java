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

/** Gauges of the metrics of all online executors, by group and address, published on every node. */
final class ExecutorWatch implements Duty {

    /** Maximum number of executors published; if there are more, the newest ones. */
    static final int MOST = 500;

    private static final double MEGABYTE = 1_048_576;

    private final Executors executors;
    private final MeterRegistry registry;
    private final Map<MultiGauge, ToDoubleFunction<WorkerMetrics>> gauges = new LinkedHashMap<>();

    ExecutorWatch(Executors executors, MeterRegistry registry) {
        this.executors = executors;
        this.registry = registry;
        show("orth.executor.cpu", "load average divided by cores", null, m -> known(m.cpu()));
        show(
                "orth.executor.process.cpu",
                "share of the cores that the process used",
                "ratio",
                m -> known(m.processCpu()));
        show("orth.executor.rss", "memory of the process", "bytes", m -> m.ram().rss() * MEGABYTE);
        show("orth.executor.heap.used", "heap in use", "bytes", m -> m.ram().heapUsed() * MEGABYTE);
        show("orth.executor.heap.total", "heap reserved", "bytes", m -> m.ram().heapTotal() * MEGABYTE);
        show("orth.executor.running", "running runs and messages", null, WorkerMetrics::running);
        show("orth.executor.queued", "waiting runs and messages", null, WorkerMetrics::queued);
    }

    private void show(String name, String description, String unit, ToDoubleFunction<WorkerMetrics> value) {
        gauges.put(
                MultiGauge.builder(name).description(description).baseUnit(unit).register(registry), value);
    }

    /** Maps a negative value to NaN: some systems do not report the value. */
    private static double known(double value) {
        return value < 0 ? Double.NaN : value;
    }

    @Override
    public Pass run() {
        Collection<Executor> online = byAddress(executors.onlineWithMetrics(MOST));
        gauges.forEach((gauge, value) -> gauge.register(
                online.stream()
                        .map(executor -> MultiGauge.Row.of(
                                Tags.of("group", executor.groupName(), "executor", executor.address()),
                                value.applyAsDouble(executor.metrics())))
                        .toList(),
                true));
        return Pass.DRAINED;
    }

    /** Keeps the newest executor per address: two can be online at one address until the predecessor is declared dead. */
    private static Collection<Executor> byAddress(List<Executor> newestFirst) {
        Map<List<String>, Executor> first = new LinkedHashMap<>();
        newestFirst.forEach(each -> first.putIfAbsent(List.of(each.groupName(), each.address()), each));
        return first.values();
    }
}
