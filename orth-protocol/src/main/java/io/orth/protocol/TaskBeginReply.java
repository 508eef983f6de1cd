package io.orth.protocol;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An admin's answer to {@link TaskBegin}, in the order of its tasks, after what it says is committed. What all tasks of a run have in
 * common, and may be large, is in it once.
 */
public record TaskBeginReply(List<BegunTask> tasks) implements WireMessage {

    public TaskBeginReply {
        tasks = List.copyOf(tasks);
    }

    public static TaskBeginReply from(JsonObject json) {
        Map<Long, JsonObject> runs = new HashMap<>();
        json.objects("runs").forEach(run -> runs.put(run.requiredNumber("rootJobId"), run));
        return new TaskBeginReply(json.objects("tasks").stream()
                .map(BegunTask::from)
                .map(task -> withRun(task, runs))
                .toList());
    }

    private static BegunTask withRun(BegunTask task, Map<Long, JsonObject> runs) {
        JsonObject run = task.isToRun() ? runs.get(task.task().rootJobId()) : null;
        return run == null ? task : task.of(run.text("scope"), run.text("options"));
    }

    @Override
    public Map<String, Object> toJson() {
        Map<Long, Map<String, Object>> runs = new LinkedHashMap<>();
        tasks.stream()
                .filter(BegunTask::isToRun)
                .map(BegunTask::task)
                .forEach(task -> runs.computeIfAbsent(
                        task.rootJobId(),
                        root -> new Fields()
                                .put("rootJobId", root)
                                .put("scope", task.scope())
                                .put("options", task.options())
                                .toMap()));
        return new Fields()
                .put("tasks", tasks.stream().map(BegunTask::toJson).toList())
                .put("runs", runs.isEmpty() ? null : List.copyOf(runs.values()))
                .toMap();
    }
}
