package io.orth.protocol;

import java.util.Map;

/**
 * A message of a queue that is claimed by one executor instance.
 *
 * @param attempt counts from 1
 * @param logId id of this claim and its log; results name it. Omitted from the JSON if equal to the message id
 * @param logDateTime time of the claim in milliseconds; selects the log file's day
 * @param pushedAt in milliseconds
 * @param metadata the producer's metadata, beside the payload
 * @param task the pipeline task that the message carries; null if it carries none
 */
public record ClaimedMessage(
        long id,
        int attempt,
        int maxAttempts,
        long logId,
        long logDateTime,
        String payload,
        long pushedAt,
        Map<String, String> metadata,
        String traceId,
        ClaimedTask task)
        implements ToldMessage {

    public ClaimedMessage {
        metadata = Map.copyOf(metadata);
    }

    /** Creates a message that carries no task. */
    public ClaimedMessage(
            long id,
            int attempt,
            int maxAttempts,
            long logId,
            long logDateTime,
            String payload,
            long pushedAt,
            Map<String, String> metadata,
            String traceId) {
        this(id, attempt, maxAttempts, logId, logDateTime, payload, pushedAt, metadata, traceId, null);
    }

    /** Returns a copy that carries this task. */
    public ClaimedMessage with(ClaimedTask carried) {
        return new ClaimedMessage(
                id, attempt, maxAttempts, logId, logDateTime, payload, pushedAt, metadata, traceId, carried);
    }

    public static ClaimedMessage from(JsonObject json) {
        long id = json.requiredNumber("id");
        return new ClaimedMessage(
                id,
                json.requiredInteger("attempt"),
                json.requiredInteger("maxAttempts"),
                json.number("logId", id),
                json.requiredNumber("logDateTime"),
                json.text("payload", ""),
                json.number("pushedAt", 0),
                json.texts("metadata"),
                json.text("traceId"),
                json.object("task").map(ClaimedTask::from).orElse(null));
    }

    @Override
    public void tell(FieldSink fields) {
        fields.put("id", id)
                .put("attempt", attempt)
                .put("maxAttempts", maxAttempts)
                .put("logId", logId == id ? null : logId)
                .put("logDateTime", logDateTime)
                .put("payload", payload)
                .put("pushedAt", pushedAt)
                .putTexts("metadata", metadata)
                .put("traceId", traceId)
                .putObject("task", task == null ? null : task::tell);
    }
}
