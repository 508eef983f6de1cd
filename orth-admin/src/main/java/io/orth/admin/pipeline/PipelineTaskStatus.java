package io.orth.admin.pipeline;

import io.orth.admin.kernel.Status;
import java.util.Map;
import java.util.Set;

/** Where a task stands; the table below is the whole state machine. */
public enum PipelineTaskStatus implements Status<PipelineTaskStatus> {
    PENDING,
    /** An executor has it, and has not been told that it may begin. */
    CLAIMED,
    RUNNING,
    COMPLETED,
    FAILED,
    CANCELLED;

    private static final Map<PipelineTaskStatus, Set<PipelineTaskStatus>> NEXT = Map.of(
            PENDING, Set.of(CLAIMED, CANCELLED),
            CLAIMED, Set.of(RUNNING, PENDING, CANCELLED),
            RUNNING, Set.of(COMPLETED, FAILED, PENDING, CANCELLED),
            FAILED, Set.of(PENDING));

    @Override
    public boolean isInitial() {
        return this == PENDING;
    }

    @Override
    public Set<PipelineTaskStatus> next() {
        return NEXT.getOrDefault(this, Set.of());
    }

    /** Whether its stage has to wait for it. */
    public boolean isOpen() {
        return this == PENDING || this == CLAIMED || this == RUNNING;
    }
}
