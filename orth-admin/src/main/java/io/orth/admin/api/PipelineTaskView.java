package io.orth.admin.api;

import io.orth.admin.pipeline.PipelineRun;
import io.orth.admin.pipeline.PipelineTask;
import java.time.Instant;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A task of a pipeline's run.
 *
 * @param parentJobId the task that proposed it; null in the first stage
 * @param lockedAt since when an executor has it; null where none does
 * @param executorId the number of that executor
 * @param logId of the last attempt's log
 * @param result what the handler said when it had completed it
 * @param error why the last attempt that failed did
 */
record PipelineTaskView(
        String id,
        String rootJobId,
        String parentJobId,
        String pipeline,
        String stage,
        String queue,
        String targetType,
        String targetId,
        String status,
        int attempts,
        int maxAttempts,
        Instant lockedAt,
        String executorId,
        String logId,
        String createdBy,
        Map<String, String> meta,
        JsonNode params,
        JsonNode result,
        JsonNode error,
        Instant createdAt,
        Instant startedAt,
        Instant finishedAt,
        Instant updatedAt) {

    static PipelineTaskView of(PipelineTask task, PipelineRun run, JsonMapper json) {
        return new PipelineTaskView(
                Long.toString(task.id()),
                Long.toString(task.rootId()),
                text(task.parentId()),
                run.pipeline(),
                run.stages().get(task.stage()).name(),
                run.stages().get(task.stage()).queue(),
                task.targetType(),
                task.targetId(),
                task.status().name(),
                task.attempts(),
                task.maxAttempts(),
                task.times().locked(),
                text(task.executorId()),
                text(task.logId()),
                task.createdBy(),
                task.meta(),
                PipelineRunView.tree(json, task.params()),
                PipelineRunView.tree(json, task.result()),
                PipelineRunView.tree(json, task.error()),
                task.times().created(),
                task.times().started(),
                task.times().finished(),
                task.times().updated());
    }

    private static String text(Long id) {
        return id == null ? null : Long.toString(id);
    }
}
