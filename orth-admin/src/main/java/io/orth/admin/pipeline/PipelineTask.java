package io.orth.admin.pipeline;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.orth.admin.kernel.Fence;
import java.time.Instant;
import java.util.Map;

/**
 * One target in one stage of a run. Documents are JSON texts.
 *
 * @param parentId the task that proposed it; null in the first stage
 * @param stage the index of the stage, from 0
 * @param executorId the executor instance that has claimed it; null if none
 * @param logId the log id of the last attempt; null if there was none
 */
public record PipelineTask(
        long id,
        @JsonIgnore long rootId,
        @JsonIgnore Long parentId,
        @JsonIgnore int stage,
        @JsonIgnore int stageId,
        String targetType,
        String targetId,
        PipelineTaskStatus status,
        int attempts,
        int maxAttempts,
        Long executorId,
        Long logId,
        String createdBy,
        @JsonRawValue String params,
        Map<String, String> meta,
        @JsonRawValue String result,
        @JsonRawValue String error,
        @JsonUnwrapped Times times) {

    /** When the task was created, claimed, last started, finished and last changed. */
    public record Times(
            Instant createdAt, Instant lockedAt, Instant startedAt, Instant finishedAt, Instant updatedAt) {}

    public PipelineTask {
        meta = Map.copyOf(meta);
    }

    /** Returns whether this attempt is the expected next one. */
    boolean isNext(int attempt) {
        return status == PipelineTaskStatus.PENDING && attempts == attempt - 1;
    }

    /** Returns a copy with this status, under a claim for this attempt. */
    PipelineTask under(PipelineTaskStatus as, int attempt, Fence claim) {
        return new PipelineTask(
                id,
                rootId,
                parentId,
                stage,
                stageId,
                targetType,
                targetId,
                as,
                attempt,
                maxAttempts,
                claim.executorId(),
                claim.claimId(),
                createdBy,
                params,
                meta,
                result,
                error,
                times);
    }

    /** Returns the current claim; null if no executor has claimed the task. */
    Fence claim() {
        return executorId == null ? null : new Fence(executorId, logId);
    }
}
