package io.orth.admin.api;

import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.orth.admin.pipeline.PipelineRun;
import io.orth.admin.pipeline.PipelineRunResult;
import io.orth.admin.pipeline.Progress;
import io.orth.admin.pipeline.Stage;
import java.util.List;

/**
 * Pipeline run in a response.
 *
 * @param progress finished tasks in percent of all tasks known so far
 * @param finishedTasks number of completed and failed tasks
 * @param totalTasks number of tasks known so far
 * @param scope null in lists, like {@code options}, {@code meta} and {@code result}
 * @param links addresses of the run's results; empty in lists
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
     * Progress of a stage.
     *
     * @param status {@code WAITING}, {@code RUNNING} or {@code OVER}
     * @param open number of unfinished tasks; null until all tasks of the stage have been created
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
