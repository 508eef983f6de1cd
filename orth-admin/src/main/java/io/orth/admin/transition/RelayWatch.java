package io.orth.admin.transition;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.orth.runtime.Duty;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Measures the relay's lag on every node, so the metric exists even if no node relays. */
final class RelayWatch implements Duty {

    private static final double MILLIS = 1_000.0;

    private final Sinks sinks;
    private final JournalRepository journal;
    private final Clock clock;
    private final MeterRegistry registry;
    private final AtomicLong lagMillis = new AtomicLong();
    private final Map<String, AtomicLong> sinkLagMillis = new ConcurrentHashMap<>();

    RelayWatch(Sinks sinks, JournalRepository journal, Clock clock, MeterRegistry registry) {
        this.sinks = sinks;
        this.journal = journal;
        this.clock = clock;
        this.registry = registry;
        Gauge.builder("orth.relay.lag", lagMillis, lag -> lag.get() / MILLIS)
                .description("age of the oldest change of state that some sink has not taken")
                .baseUnit("seconds")
                .register(registry);
    }

    @Override
    public Pass run() {
        Map<String, Long> ages = new HashMap<>();
        long worst = journal.oldestFresh().map(this::age).orElse(0L);
        for (Sinks.Lag lag : sinks.list()) {
            long age = lag.waitingSince() == null ? 0 : age(lag.waitingSince());
            ages.put(lag.sink().name(), age);
            worst = Math.max(worst, age);
        }
        lagMillis.set(worst);
        ages.keySet().forEach(sink -> sinkLagMillis.computeIfAbsent(sink, this::gauge));
        sinkLagMillis.forEach((sink, lag) -> lag.set(ages.getOrDefault(sink, 0L)));
        return Pass.DRAINED;
    }

    private AtomicLong gauge(String sink) {
        AtomicLong lag = new AtomicLong();
        Gauge.builder("orth.relay.sink.lag", lag, value -> value.get() / MILLIS)
                .description("age of the oldest change of state that a sink has not taken")
                .baseUnit("seconds")
                .tag("sink", sink)
                .register(registry);
        return lag;
    }

    private long age(Instant writtenAt) {
        return Math.max(0, Duration.between(writtenAt, clock.instant()).toMillis());
    }
}
