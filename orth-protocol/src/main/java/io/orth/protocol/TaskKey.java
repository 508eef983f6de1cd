package io.orth.protocol;

import java.util.Map;

/**
 * One attempt at a pipeline's task.
 *
 * @param attempt counts from 1; everything that is said about the task names it
 * @param logId of the message by which the executor got it, so that a repeated request can be told from another claim
 */
public record TaskKey(long taskId, int attempt, long logId) implements WireMessage {

    public static TaskKey from(JsonObject json) {
        return new TaskKey(
                json.requiredNumber("taskId"), json.requiredInteger("attempt"), json.requiredNumber("logId"));
    }

    @Override
    public Map<String, Object> toJson() {
        return new Fields()
                .put("taskId", taskId)
                .put("attempt", attempt)
                .put("logId", logId)
                .toMap();
    }
}
