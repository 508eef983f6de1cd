package io.orth.admin.api;

import io.orth.admin.pipeline.PipelineRun;
import io.orth.admin.pipeline.PipelineRunResult;
import io.orth.admin.pipeline.Progress;
import java.time.Instant;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A run of a pipeline.
 *
 * @param failure why it failed; null where it did not
 * @param progress finished tasks in percent of all tasks, as far as these are known
 * @param finishedTasks how many tasks are completed or have failed
 * @param totalTasks how many tasks are known so far
 * @param fanningOut whether more tasks may be created
 * @param scope and {@code options}, {@code meta} and {@code result}: null in lists
 * @param links addresses of what it produced; empty in lists
 */
record PipelineRunView(
        String id,
        String pipeline,
        int version,
        String status,
        String createdBy,
        String traceId,
        Instant createdAt,
        Instant startedAt,
        Instant finishedAt,
        Instant updatedAt,
        JsonNode failure,
        int progress,
        long finishedTasks,
        long totalTasks,
        boolean fanningOut,
        Long estimate,
        List<StageProgress> stages,
        JsonNode scope,
        JsonNode options,
        JsonNode meta,
        JsonNode result,
        List<PipelineRunResult.Link> links) {

    /**
     * How far a stage is.
     *
     * @param status {@code WAITING}, {@code RUNNING} or {@code OVER}
     * @param expected how many tasks it has; null until all of them are made
     * @param created how many tasks were made so far
     * @param open how many of them are not over; null until then
     */
    record StageProgress(
            String name,
            String handler,
            String queue,
            String status,
            boolean paused,
            Long expected,
            long created,
            long completed,
            long failed,
            long cancelled,
            Long open) {

        private static StageProgress of(PipelineRun run, Progress progress) {
            Long open = progress.expected() == null ? null : Math.max(0, progress.expected() - progress.over());
            boolean waits = open == null && progress.created() == 0;
            String status = waits ? "WAITING" : open != null && open == 0 ? "OVER" : "RUNNING";
            return new StageProgress(
                    progress.name(),
                    run.stages().get(progress.stage()).handler(),
                    run.stages().get(progress.stage()).queue(),
                    status,
                    progress.paused(),
                    progress.expected(),
                    progress.created(),
                    progress.completed(),
                    progress.failed(),
                    progress.cancelled(),
                    open);
        }
    }

    static PipelineRunView brief(PipelineRun run, JsonMapper json) {
        return of(run, json, false);
    }

    static PipelineRunView whole(PipelineRun run, JsonMapper json) {
        return of(run, json, true);
    }

    private static PipelineRunView of(PipelineRun run, JsonMapper json, boolean whole) {
        return new PipelineRunView(
                Long.toString(run.id()),
                run.pipeline(),
                run.version(),
                run.status().name(),
                run.createdBy(),
                run.traceId(),
                run.times().created(),
                run.times().started(),
                run.times().finished(),
                run.times().updated(),
                tree(json, run.failure()),
                run.percent(),
                run.finishedTasks(),
                run.totalTasks(),
                run.isFanningOut(),
                run.estimate(),
                run.progress().stream().map(each -> StageProgress.of(run, each)).toList(),
                whole ? tree(json, run.scope()) : null,
                whole ? tree(json, run.options()) : null,
                whole ? tree(json, run.meta()) : null,
                whole ? tree(json, run.result().result()) : null,
                whole ? run.result().links() : List.of());
    }

    static JsonNode tree(JsonMapper json, String text) {
        return text == null ? null : json.readTree(text);
    }
}
