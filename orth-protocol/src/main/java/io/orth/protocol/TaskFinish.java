package io.orth.protocol;

import java.util.List;
import java.util.Map;

/** Attempts at tasks have ended. Repeated, it gets the same answer. */
public record TaskFinish(String instanceId, List<TaskResult> results) implements WireMessage {

    public TaskFinish {
        results = List.copyOf(results);
    }

    public static TaskFinish from(JsonObject json) {
        return new TaskFinish(
                json.requiredText("instanceId"),
                json.objects("results").stream().map(TaskResult::from).toList());
    }

    @Override
    public Map<String, Object> toJson() {
        return new Fields()
                .put("instanceId", instanceId)
                .put("results", results.stream().map(TaskResult::toJson).toList())
                .toMap();
    }
}
