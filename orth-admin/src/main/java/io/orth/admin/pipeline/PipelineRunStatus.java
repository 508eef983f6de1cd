package io.orth.admin.pipeline;

import io.orth.admin.kernel.Rescue;
import io.orth.admin.kernel.Status;
import java.util.Map;
import java.util.Set;

/** Where a run of a pipeline stands; the table below is the whole state machine. */
public enum PipelineRunStatus implements Status<PipelineRunStatus> {
    /** Submitted; nobody has claimed a task of it. */
    @Rescue(
            by = "pipeline-reconciler",
            when = "the messages of its tasks are lost",
            after = "orth.pipeline.audit-every (1 min) and orth.pipeline.stuck-after (1 min)")
    PENDING,
    @Rescue(
            by = "pipeline-reconciler",
            when = "its tasks have ended and it has not",
            after = "orth.pipeline.audit-every (1 min)")
    RUNNING,
    COMPLETED,
    /** More tasks of a stage failed than it bears. A retry of them opens the run again. */
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

    /** Whether tasks of it may be begun. */
    public boolean isOpen() {
        return this == PENDING || this == RUNNING;
    }
}
