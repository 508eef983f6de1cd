package io.orth.admin.pipeline;

import io.orth.admin.kernel.Status;
import java.util.Map;
import java.util.Set;

/** Where a run of a pipeline stands; the table below is the whole state machine. */
public enum PipelineRunStatus implements Status<PipelineRunStatus> {
    /** Submitted; nobody has claimed a task of it. */
    PENDING,
    RUNNING,
    COMPLETED,
    /** More tasks of a stage failed than it bears. A retry of them opens the run again. */
    FAILED,
    CANCELLED;

    private static final Map<PipelineRunStatus, Set<PipelineRunStatus>> NEXT = Map.of(
            PENDING, Set.of(RUNNING, CANCELLED),
            RUNNING, Set.of(COMPLETED, FAILED, CANCELLED),
            FAILED, Set.of(RUNNING));

    @Override
    public boolean isInitial() {
        return this == PENDING;
    }

    @Override
    public Set<PipelineRunStatus> next() {
        return NEXT.getOrDefault(this, Set.of());
    }

    /** Whether tasks of it may be begun. */
    public boolean isOpen() {
        return this == PENDING || this == RUNNING;
    }
}
