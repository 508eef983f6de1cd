package io.orth.protocol;

import java.util.List;
import java.util.Map;

/**
 * The pipeline task that a message carries. Claiming the message also claims the task, for the same executor and attempt.
 *
 * @param attempt counts from 1; content and steps of the task name it
 * @param params parameters proposed by the parent or given in the submission: JSON text, or null
 * @param scope scope of the whole run: JSON text, or null; sent once for all tasks of the run
 * @param options options of the whole run: JSON text, or null; sent once for all tasks of the run
 * @param traceId 32 hexadecimal digits
 * @param content the first thousand contents recorded by earlier attempts
 */
public record ClaimedTask(
        long taskId,
        int attempt,
        int maxAttempts,
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
        List<String> content)
        implements ToldMessage {

    public ClaimedTask {
        meta = Map.copyOf(meta);
        content = List.copyOf(content);
    }

    static ClaimedTask from(JsonObject json) {
        return new ClaimedTask(
                json.requiredNumber("taskId"),
                json.requiredInteger("attempt"),
                json.integer("maxAttempts", 1),
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
                json.textList("content"));
    }

    /** Returns a copy with the scope and the options of its run. */
    ClaimedTask of(String newScope, String newOptions) {
        return new ClaimedTask(
                taskId,
                attempt,
                maxAttempts,
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
                content);
    }

    /** Writes the task without the scope and the options of its run. */
    @Override
    public void tell(FieldSink fields) {
        fields.put("taskId", taskId)
                .put("attempt", attempt)
                .put("maxAttempts", maxAttempts)
                .put("rootJobId", rootJobId)
                .put("pipeline", pipeline)
                .put("stage", stage)
                .put("handler", handler)
                .put("targetType", targetType)
                .put("targetId", targetId)
                .put("params", params)
                .putTexts("meta", meta)
                .put("createdBy", createdBy)
                .put("traceId", traceId)
                .putTextList("content", content);
    }
}
