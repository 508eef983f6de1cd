package io.orth.protocol;

import java.util.List;
import java.util.Map;

/** An admin's answer to {@link TaskBegin}, in the order of its tasks, after what it says is committed. */
public record TaskBeginReply(List<BegunTask> tasks) implements WireMessage {

    public TaskBeginReply {
        tasks = List.copyOf(tasks);
    }

    public static TaskBeginReply from(JsonObject json) {
        return new TaskBeginReply(
                json.objects("tasks").stream().map(BegunTask::from).toList());
    }

    @Override
    public Map<String, Object> toJson() {
        return new Fields()
                .put("tasks", tasks.stream().map(BegunTask::toJson).toList())
                .toMap();
    }
}
