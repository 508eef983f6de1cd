package io.orth.protocol;

import java.util.List;
import java.util.Map;

/** An executor is about to work on tasks. Repeated, it gets the same answer. */
public record TaskBegin(String instanceId, List<TaskKey> tasks) implements WireMessage {

    public TaskBegin {
        tasks = List.copyOf(tasks);
    }

    public static TaskBegin from(JsonObject json) {
        return new TaskBegin(
                json.requiredText("instanceId"),
                json.objects("tasks").stream().map(TaskKey::from).toList());
    }

    @Override
    public Map<String, Object> toJson() {
        return new Fields()
                .put("instanceId", instanceId)
                .put("tasks", tasks.stream().map(TaskKey::toJson).toList())
                .toMap();
    }
}
