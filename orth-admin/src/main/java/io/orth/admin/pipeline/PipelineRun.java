package io.orth.admin.pipeline;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.time.Instant;
import java.util.List;

/**
 * One run of a pipeline: the root of its tasks. Documents are JSON texts.
 *
 * @param stage the index of the stage whose tasks are being created or executed, from 0
 * @param stages the stages of the pipeline when the run was submitted
 * @param estimate the estimated number of tasks; null if unknown
 * @param failure why the run failed; null if it has not
 * @param result the result that handlers or clients have set for the run as a whole
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

    /** When the run was submitted, first started, finished and last changed. */
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

    /** Returns the number of completed and failed tasks; cancelled tasks do not count. */
    public long finishedTasks() {
        return progress.stream()
                .mapToLong(stage -> stage.completed() + stage.failed())
                .sum();
    }

    /** Returns the number of tasks known so far; this is the final number unless the run is fanning out. */
    public long totalTasks() {
        return progress.stream().mapToLong(Progress::total).sum();
    }

    /** Returns whether more tasks may be created. */
    public boolean isFanningOut() {
        return status.isOpen() && progress.stream().anyMatch(stage -> stage.expected() == null);
    }

    /**
     * Returns the share of finished tasks among the known tasks or, while the run is fanning out, among the estimated tasks. Only a
     * completed run is at 100.
     */
    public int percent() {
        if (status == PipelineRunStatus.COMPLETED) {
            return 100;
        }
        long total = isFanningOut() && estimate != null ? Math.max(estimate, totalTasks()) : totalTasks();
        return total == 0 ? 0 : (int) Math.min(99, finishedTasks() * 100 / total);
    }
}
