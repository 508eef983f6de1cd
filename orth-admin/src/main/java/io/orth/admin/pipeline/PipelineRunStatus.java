package io.orth.admin.pipeline;

import io.orth.admin.kernel.Rescue;
import io.orth.admin.kernel.Status;
import java.util.Map;
import java.util.Set;

/** Status of a pipeline run. The table below is the complete state machine. */
public enum PipelineRunStatus implements Status<PipelineRunStatus> {
    /** Submitted; no task has been claimed yet. */
    @Rescue(
            by = "pipeline-reconciler",
            when = "the messages of its tasks are lost",
            after = "orth.pipeline.audit-every (1 min) and orth.pipeline.stuck-after (1 min)")
    PENDING,
    @Rescue(
            by = "pipeline-reconciler",
            when = "its tasks are finished and it is not",
            after = "orth.pipeline.audit-every (1 min)")
    RUNNING,
    COMPLETED,
    /** The failures of a stage exceeded its tolerance. Retrying failed tasks reopens the run. */
    @Rescue(by = "pipeline-keeper", when = "its failed tasks are not retried", after = "orth.pipeline.keep-runs (90 d)")
    FAILED,
    CANCELLED;

    private static final Map<PipelineRunStatus, Set<PipelineRunStatus>> NEXT = Map.of(
            PENDING, Set.of(RUNNING, CANCELLED),
            RUNNING, Set.of(COMPLETED, FAILED, CANCELLED),
            FAILED, Set.of(RUNNING));

    @Override
    public Set<PipelineRunStatus> next() {
        return NEXT.getOrDefault(this, Set.of());
    }

    /** Returns whether tasks of the run may be started. */
    public boolean isOpen() {
        return this == PENDING || this == RUNNING;
    }
}
