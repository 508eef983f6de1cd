package io.orth.admin.pipeline;

import io.orth.admin.kernel.Rescue;
import io.orth.admin.kernel.Status;
import java.util.Map;
import java.util.Set;

/** Status of a task. The table below is the complete state machine. */
public enum PipelineTaskStatus implements Status<PipelineTaskStatus> {
    @Rescue(
            by = "pipeline-reconciler",
            when = "its message is lost",
            after = "orth.pipeline.audit-every (1 min) and orth.pipeline.stuck-after (1 min)")
    @Rescue(
            by = "outbox-dispatcher",
            when = "it cannot be sent",
            after = "orth.pipeline.outbox.max-attempts (10) attempts to send it; then it fails")
    PENDING,
    /** An executor has claimed its message. If the driver joins the transaction, the task is set to RUNNING in the same transaction. */
    @Rescue(by = "message-rescuer", when = "its executor is offline or dead", after = "as for its message")
    @Rescue(
            by = "lost-work-detector",
            when = "its executor is online and does not know it",
            after = "as for its message")
    CLAIMED,
    @Rescue(by = "message-rescuer", when = "its executor is offline or dead", after = "as for its message")
    @Rescue(
            by = "lost-work-detector",
            when = "its executor is online and does not know it",
            after = "as for its message")
    RUNNING,
    COMPLETED,
    @Rescue(by = "pipeline-keeper", when = "it is not retried", after = "with its run")
    FAILED,
    CANCELLED;

    private static final Map<PipelineTaskStatus, Set<PipelineTaskStatus>> NEXT = Map.of(
            PENDING, Set.of(CLAIMED, CANCELLED),
            CLAIMED, Set.of(RUNNING, PENDING, CANCELLED),
            RUNNING, Set.of(COMPLETED, FAILED, PENDING, CANCELLED),
            FAILED, Set.of(PENDING));

    @Override
    public Set<PipelineTaskStatus> next() {
        return NEXT.getOrDefault(this, Set.of());
    }

    /** Returns whether the task is unfinished, so that its stage has to wait for it. */
    public boolean isOpen() {
        return this == PENDING || this == CLAIMED || this == RUNNING;
    }
}
