package io.orth.admin.systemlog;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Supplier;
import org.springframework.stereotype.Component;

/** Counters of the lines that this node published, archived, spilled and dropped. */
@Component
final class SystemLogMetrics {

    private final MeterRegistry registry;
    private final Map<LogLevel, Counter> published = new EnumMap<>(LogLevel.class);
    private final Counter archived;
    private final Counter spilled;
    private final Counter dropped;

    SystemLogMetrics(MeterRegistry registry) {
        this.registry = registry;
        for (LogLevel level : LogLevel.values()) {
            published.put(
                    level,
                    Counter.builder("orth.system.log.published")
                            .description("lines of the system log that this node has published")
                            .tag("level", level.name())
                            .register(registry));
        }
        archived = counter("orth.system.log.archived", "archived lines of the system log");
        spilled = counter("orth.system.log.spilled", "lines of the system log that were kept on disk");
        dropped = counter("orth.system.log.dropped", "lines of the system log that were lost");
    }

    private Counter counter(String name, String description) {
        return Counter.builder(name).description(description).register(registry);
    }

    void watchBacklog(Supplier<Number> lines) {
        Gauge.builder("orth.system.log.backlog", lines)
                .description("lines of the system log that are not archived yet")
                .register(registry);
    }

    void published(LogLevel level) {
        published.get(level).increment();
    }

    void archived(int lines) {
        archived.increment(lines);
    }

    void spilled(int lines) {
        spilled.increment(lines);
    }

    void dropped(long lines) {
        dropped.increment((double) lines);
    }
}
