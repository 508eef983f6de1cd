package io.orth.admin.api;

import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.orth.admin.pipeline.PipelineRun;
import io.orth.admin.pipeline.PipelineRunResult;
import io.orth.admin.pipeline.Progress;
import io.orth.admin.pipeline.Stage;
import java.util.List;

/**
 * A run of a pipeline.
 *
 * @param progress finished tasks in percent of all tasks, as far as these are known
 * @param finishedTasks how many tasks are completed or have failed
 * @param totalTasks how many tasks are known so far
 * @param scope and {@code options}, {@code meta} and {@code result}: null in lists
 * @param links addresses of what it produced; empty in lists
 */
record PipelineRunView(
        @JsonUnwrapped PipelineRun run,
        int progress,
        long finishedTasks,
        long totalTasks,
        List<StageProgress> stages,
        @JsonRawValue String scope,
        @JsonRawValue String options,
        @JsonRawValue String meta,
        @JsonRawValue String result,
        List<PipelineRunResult.Link> links) {

    /**
     * How far a stage is.
     *
     * @param status {@code WAITING}, {@code RUNNING} or {@code OVER}
     * @param open how many of its tasks are not over; null until all of them are made
     */
    record StageProgress(@JsonUnwrapped Progress progress, String handler, String queue, String status, Long open) {

        private static StageProgress of(PipelineRun run, Progress progress) {
            Long open = progress.expected() == null ? null : Math.max(0, progress.expected() - progress.over());
            boolean waits = open == null && progress.created() == 0;
            String status = waits ? "WAITING" : open != null && open == 0 ? "OVER" : "RUNNING";
            Stage stage = run.stages().get(progress.stage());
            return new StageProgress(progress, stage.handler(), stage.queue(), status, open);
        }
    }

    static PipelineRunView brief(PipelineRun run) {
        return of(run, false);
    }

    static PipelineRunView whole(PipelineRun run) {
        return of(run, true);
    }

    private static PipelineRunView of(PipelineRun run, boolean whole) {
        return new PipelineRunView(
                run,
                run.percent(),
                run.finishedTasks(),
                run.totalTasks(),
                run.progress().stream().map(each -> StageProgress.of(run, each)).toList(),
                whole ? run.scope() : null,
                whole ? run.options() : null,
                whole ? run.meta() : null,
                whole ? run.result().result() : null,
                whole ? run.result().links() : List.of());
    }
}
