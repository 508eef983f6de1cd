package io.orth.admin.transition;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.orth.admin.kernel.EntityKind;
import io.orth.admin.kernel.StateChange;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.stereotype.Component;

/** Counts the transitions this node has committed, the time entities spent in each state, and the relay's work. */
@Component
public final class TransitionMetrics {

    private static final Duration[] BOUNDS = {
        Duration.ofMillis(10),
        Duration.ofMillis(50),
        Duration.ofMillis(100),
        Duration.ofMillis(250),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofSeconds(5),
        Duration.ofSeconds(10),
        Duration.ofSeconds(30),
        Duration.ofMinutes(1),
        Duration.ofMinutes(5),
        Duration.ofMinutes(30),
        Duration.ofHours(1),
        Duration.ofHours(6),
        Duration.ofDays(1)
    };

    private record Edge(EntityKind kind, String from, String to) {}

    private record State(EntityKind kind, String state) {}

    private final MeterRegistry registry;
    private final Map<Edge, Counter> transitions = new ConcurrentHashMap<>();
    private final Map<State, Timer> timesInState = new ConcurrentHashMap<>();

    public TransitionMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    void count(List<StateChange> changes) {
        for (StateChange change : changes) {
            transitions
                    .computeIfAbsent(new Edge(change.entity(), change.from(), change.to()), this::counter)
                    .increment();
            Long millis = change.millisInFrom();
            if (millis != null) {
                timesInState
                        .computeIfAbsent(new State(change.entity(), change.from()), this::timer)
                        .record(Duration.ofMillis(Math.max(0, millis)));
            }
        }
    }

    private Counter counter(Edge edge) {
        return Counter.builder("orth.transitions")
                .description("committed state transitions")
                .tag("kind", edge.kind().name())
                .tag("from", edge.from() == null ? "" : edge.from())
                .tag("to", edge.to())
                .register(registry);
    }

    private Timer timer(State state) {
        return Timer.builder("orth.time.in.state")
                .description("time that entities spent in a state")
                .tag("kind", state.kind().name())
                .tag("state", state.state())
                .serviceLevelObjectives(BOUNDS)
                .register(registry);
    }

    /** Registers a sink's counters at zero. A counter that first appears with the value 1 shows no increase in Prometheus. */
    void enter(String sink) {
        emitted(sink, 0);
        dropped(sink, 0);
        failures(sink);
    }

    void emitted(String sink, int transitions) {
        relayCounter("orth.relay.emitted", "transitions accepted by a sink", sink)
                .increment(transitions);
    }

    void dropped(String sink, long transitions) {
        relayCounter("orth.relay.dropped", "transitions dropped because a sink could not accept them", sink)
                .increment((double) transitions);
    }

    void sinkFailed(String sink) {
        failures(sink).increment();
    }

    private Counter failures(String sink) {
        return relayCounter("orth.relay.failures", "failed attempts to deliver to a sink", sink);
    }

    private Counter relayCounter(String name, String description, String sink) {
        return Counter.builder(name).description(description).tag("sink", sink).register(registry);
    }
}
