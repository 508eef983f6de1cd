package io.orth.protocol;

import java.util.List;
import java.util.Map;

/**
 * Whether an executor is to work on a task, and what the task is about.
 *
 * @param verdict {@link TaskVerdict#RUN} or {@link TaskVerdict#SKIP}
 * @param reason why it is skipped: {@code stale}, {@code cancelled}, {@code paused} or {@code unknown}; null where it is not
 * @param task null where it is skipped
 */
public record BegunTask(long taskId, int attempt, TaskVerdict verdict, String reason, Details task)
        implements WireMessage {

    /**
     * What a handler is told.
     *
     * @param params what the parent proposed for it, or the submission said: JSON text, or null
     * @param scope of the whole run: JSON text, or null; sent once for all tasks of the run
     * @param options of the whole run: JSON text, or null; sent once as well
     * @param traceId 32 hexadecimal digits
     * @param content what earlier attempts have recorded, the first thousand
     */
    public record Details(
            long rootJobId,
            String pipeline,
            String stage,
            String handler,
            String targetType,
            String targetId,
            String params,
            Map<String, String> meta,
            String scope,
            String options,
            String createdBy,
            String traceId,
            int maxAttempts,
            List<String> content) {

        public Details {
            meta = Map.copyOf(meta);
            content = List.copyOf(content);
        }

        private static Details from(JsonObject json) {
            return new Details(
                    json.requiredNumber("rootJobId"),
                    json.requiredText("pipeline"),
                    json.requiredText("stage"),
                    json.text("handler"),
                    json.requiredText("targetType"),
                    json.requiredText("targetId"),
                    json.text("params"),
                    json.texts("meta"),
                    null,
                    null,
                    json.text("createdBy"),
                    json.text("traceId"),
                    json.integer("maxAttempts", 1),
                    json.textList("content"));
        }

        private Details of(String newScope, String newOptions) {
            return new Details(
                    rootJobId,
                    pipeline,
                    stage,
                    handler,
                    targetType,
                    targetId,
                    params,
                    meta,
                    newScope,
                    newOptions,
                    createdBy,
                    traceId,
                    maxAttempts,
                    content);
        }

        private void writeTo(Fields fields) {
            fields.put("rootJobId", rootJobId)
                    .put("pipeline", pipeline)
                    .put("stage", stage)
                    .put("handler", handler)
                    .put("targetType", targetType)
                    .put("targetId", targetId)
                    .put("params", params)
                    .put("meta", meta.isEmpty() ? null : meta)
                    .put("createdBy", createdBy)
                    .put("traceId", traceId)
                    .put("maxAttempts", maxAttempts)
                    .put("content", content.isEmpty() ? null : content);
        }
    }

    public static BegunTask run(long taskId, int attempt, Details task) {
        return new BegunTask(taskId, attempt, TaskVerdict.RUN, null, task);
    }

    public static BegunTask skip(long taskId, int attempt, String reason) {
        return new BegunTask(taskId, attempt, TaskVerdict.SKIP, reason, null);
    }

    /** The same with what is said of its run. */
    BegunTask of(String scope, String options) {
        return new BegunTask(taskId, attempt, verdict, reason, task.of(scope, options));
    }

    /** Whether the executor is to work on it. */
    public boolean isToRun() {
        return verdict == TaskVerdict.RUN;
    }

    public static BegunTask from(JsonObject json) {
        TaskVerdict verdict = TaskVerdict.from(json);
        return new BegunTask(
                json.requiredNumber("taskId"),
                json.requiredInteger("attempt"),
                verdict,
                json.text("reason"),
                verdict == TaskVerdict.RUN ? Details.from(json) : null);
    }

    @Override
    public Map<String, Object> toJson() {
        Fields fields = new Fields()
                .put("taskId", taskId)
                .put("attempt", attempt)
                .put("verdict", verdict.wireName())
                .put("reason", reason);
        if (task != null) {
            task.writeTo(fields);
        }
        return fields.toMap();
    }
}
