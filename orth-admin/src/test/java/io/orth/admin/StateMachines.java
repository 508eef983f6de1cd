package io.orth.admin;

import io.orth.admin.alarm.AlarmStatus;
import io.orth.admin.deadletter.Operation;
import io.orth.admin.job.JobStatus;
import io.orth.admin.kernel.EntityKind;
import io.orth.admin.kernel.Rescue;
import io.orth.admin.kernel.Status;
import io.orth.admin.pipeline.PipelineRunStatus;
import io.orth.admin.pipeline.PipelineTaskStatus;
import io.orth.admin.queue.MessageStatus;
import io.orth.admin.registry.ExecutorStatus;
import io.orth.admin.run.RunAlarm;
import io.orth.admin.run.RunStatus;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The state machine of each kind, read from its enum. */
public final class StateMachines {

    /** @param from null where the entity is made */
    record Edge(EntityKind kind, String from, String to) {

        @Override
        public String toString() {
            return "%s %s->%s".formatted(kind, from, to);
        }
    }

    /**
     * One state.
     *
     * @param machine what has the state
     * @param rescues what ends it if nothing else does
     */
    public record State(String machine, String name, boolean terminal, List<Rescue> rescues) {}

    /** The only machine whose moves are not journalled. */
    static final String RUN_ALARM = "Alarm of a run";

    private StateMachines() {}

    /** The states of all kinds. */
    public static List<State> states() {
        List<State> states = new ArrayList<>();
        for (EntityKind kind : EntityKind.values()) {
            states.addAll(states(kind));
        }
        states.addAll(states(RUN_ALARM, RunAlarm.values()));
        return states;
    }

    /** The enums that have the states. */
    static List<Class<?>> types() {
        List<Class<?>> types = new ArrayList<>();
        for (EntityKind kind : EntityKind.values()) {
            types.add(((Enum<?>) of(kind)[0]).getDeclaringClass());
        }
        types.add(RunAlarm.class);
        return types;
    }

    static List<State> states(EntityKind kind) {
        return states(nameOf(kind), of(kind));
    }

    static List<State> states(String machine, Status<?>[] states) {
        return Arrays.stream(states)
                .map(each -> new State(machine, each.name(), each.isTerminal(), rescuesOf((Enum<?>) each)))
                .toList();
    }

    private static List<Rescue> rescuesOf(Enum<?> constant) {
        try {
            return List.of(
                    constant.getDeclaringClass().getField(constant.name()).getAnnotationsByType(Rescue.class));
        } catch (NoSuchFieldException e) {
            throw new IllegalStateException(e);
        }
    }

    /** As people call it. */
    public static String nameOf(EntityKind kind) {
        String words = kind.name().toLowerCase(Locale.ROOT).replace('_', ' ');
        return Character.toUpperCase(words.charAt(0)) + words.substring(1);
    }

    static Status<?>[] of(EntityKind kind) {
        return switch (kind) {
            case RUN -> RunStatus.values();
            case EXECUTOR -> ExecutorStatus.values();
            case JOB -> JobStatus.values();
            case MESSAGE -> MessageStatus.values();
            case PIPELINE_RUN -> PipelineRunStatus.values();
            case PIPELINE_TASK -> PipelineTaskStatus.values();
            case OPERATION -> Operation.Status.values();
            case ALARM -> AlarmStatus.values();
        };
    }

    /** In the order of the enum: how entities are made first, corrections last. */
    static List<Edge> edges(EntityKind kind) {
        return edges(kind, of(kind));
    }

    /** @param kind what has the state */
    static List<Edge> edges(EntityKind kind, Status<?>[] states) {
        List<Edge> edges = new ArrayList<>();
        Arrays.stream(states).filter(Status::isInitial).forEach(first -> edges.add(new Edge(kind, null, first.name())));
        for (Status<?> from : states) {
            Arrays.stream(states)
                    .filter(to -> from.next().contains(to))
                    .forEach(to -> edges.add(new Edge(kind, from.name(), to.name())));
        }
        for (Status<?> from : states) {
            Arrays.stream(states)
                    .filter(to -> from.corrections().contains(to))
                    .forEach(to -> edges.add(new Edge(kind, from.name(), to.name())));
        }
        return edges;
    }

    static List<Edge> edges() {
        return Arrays.stream(EntityKind.values())
                .flatMap(kind -> edges(kind).stream())
                .toList();
    }
}
