package io.orth.admin.pipeline;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.time.Instant;
import java.util.List;

/**
 * One run of a pipeline: the root of its tasks. Documents are JSON texts.
 *
 * @param stage the place of the stage whose tasks are made or awaited, from 0
 * @param stages what the pipeline was when it was submitted
 * @param estimate how many tasks it was thought to have; null where nobody knew
 * @param failure why it failed; null where it did not
 * @param result what handlers or clients have set for the run as a whole
 */
public record PipelineRun(
        long id,
        String pipeline,
        int version,
        @JsonIgnore List<Stage> stages,
        PipelineRunStatus status,
        @JsonIgnore int stage,
        @JsonIgnore String scope,
        @JsonIgnore String options,
        @JsonIgnore String meta,
        String createdBy,
        String traceId,
        Long estimate,
        @JsonRawValue String failure,
        @JsonIgnore PipelineRunResult result,
        @JsonUnwrapped Times times,
        @JsonIgnore List<Progress> progress) {

    /** When it was submitted, first begun, ended and last changed. */
    public record Times(Instant createdAt, Instant startedAt, Instant finishedAt, Instant updatedAt) {}

    public PipelineRun {
        stages = List.copyOf(stages);
        progress = List.copyOf(progress);
    }

    PipelineRun with(List<Progress> known) {
        return new PipelineRun(
                id, pipeline, version, stages, status, stage, scope, options, meta, createdBy, traceId, estimate,
                failure, result, times, known);
    }

    /** Tasks that came to their own end: cancelled ones did not. */
    public long finishedTasks() {
        return progress.stream()
                .mapToLong(stage -> stage.completed() + stage.failed())
                .sum();
    }

    /** Tasks that are known so far; all of them unless the run is fanning out. */
    public long totalTasks() {
        return progress.stream().mapToLong(Progress::total).sum();
    }

    /** Whether more tasks may be created. */
    public boolean isFanningOut() {
        return status.isOpen() && progress.stream().anyMatch(stage -> stage.expected() == null);
    }

    /** Finished tasks of those that are known or, while more are created, were estimated. Only a completed run is at 100. */
    public int percent() {
        if (status == PipelineRunStatus.COMPLETED) {
            return 100;
        }
        long total = isFanningOut() && estimate != null ? Math.max(estimate, totalTasks()) : totalTasks();
        return total == 0 ? 0 : (int) Math.min(99, finishedTasks() * 100 / total);
    }
}
