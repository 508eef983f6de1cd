package io.orth.admin;

import io.orth.admin.job.JobStatus;
import io.orth.admin.kernel.EntityKind;
import io.orth.admin.kernel.Status;
import io.orth.admin.pipeline.PipelineRunStatus;
import io.orth.admin.pipeline.PipelineTaskStatus;
import io.orth.admin.queue.MessageStatus;
import io.orth.admin.registry.ExecutorStatus;
import io.orth.admin.run.RunStatus;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The state machine of each kind, read from its enum. */
final class StateMachines {

    /** @param from null where the entity is made */
    record Edge(EntityKind kind, String from, String to) {

        @Override
        public String toString() {
            return "%s %s->%s".formatted(kind, from, to);
        }
    }

    private StateMachines() {}

    static Status<?>[] of(EntityKind kind) {
        return switch (kind) {
            case RUN -> RunStatus.values();
            case EXECUTOR -> ExecutorStatus.values();
            case JOB -> JobStatus.values();
            case MESSAGE -> MessageStatus.values();
            case PIPELINE_RUN -> PipelineRunStatus.values();
            case PIPELINE_TASK -> PipelineTaskStatus.values();
        };
    }

    /** In the order of the enum: how entities are made first, corrections last. */
    static List<Edge> edges(EntityKind kind) {
        Status<?>[] states = of(kind);
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
