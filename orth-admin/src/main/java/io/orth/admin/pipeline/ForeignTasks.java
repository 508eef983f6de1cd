package io.orth.admin.pipeline;

import io.orth.protocol.BegunTask;
import io.orth.protocol.Json;
import io.orth.protocol.JsonObject;
import io.orth.protocol.TaskChild;
import io.orth.protocol.TaskKey;
import io.orth.protocol.TaskResult;
import io.orth.protocol.WireFormatException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Tasks that somebody outside does: what is told of them, and what comes of the answer. */
final class ForeignTasks {

    /** No executor has this number. */
    private static final TaskClaims.Worker NOBODY = new TaskClaims.Worker(0, 0);

    private final PipelineRunRepository runs;
    private final TaskRepository tasks;
    private final TaskClaims claims;
    private final TaskResults results;

    ForeignTasks(PipelineRunRepository runs, TaskRepository tasks, TaskClaims claims, TaskResults results) {
        this.runs = runs;
        this.tasks = tasks;
        this.claims = claims;
        this.results = results;
    }

    /** What to say about each of these entries, by its id; nothing about a task that is not to be done any more. */
    Map<Long, byte[]> bodies(List<OutboxEntry> entries) {
        Map<Long, PipelineTask> found =
                tasks.find(entries.stream().map(OutboxEntry::taskId).toList());
        Map<Long, PipelineRun> of =
                runs.find(found.values().stream().map(PipelineTask::rootId).toList());
        Map<Long, byte[]> bodies = new HashMap<>();
        for (OutboxEntry entry : entries) {
            PipelineTask task = found.get(entry.taskId());
            PipelineRun run = task == null ? null : of.get(task.rootId());
            if (run != null && run.status().isOpen() && task.isNext(entry.attempt())) {
                Map<String, Object> body = new HashMap<>(
                        BegunTask.run(task.id(), entry.attempt(), TaskClaims.details(task, run, List.of()))
                                .toJson());
                body.remove("verdict");
                body.put("scope", run.scope());
                body.put("options", run.options());
                bodies.put(entry.id(), Json.write(body));
            }
        }
        return bodies;
    }

    /**
     * The task is begun and ended in one step, as nobody can tell of it in between. In the caller's transaction. Where it is not to be
     * done any more, the answer does not count.
     *
     * @param answer what was answered, of which the children are proposed for the next stage
     */
    void answered(OutboxEntry entry, byte[] answer, long millis) {
        if (claims.beginWhatIsDone(NOBODY, new TaskKey(entry.taskId(), entry.attempt(), entry.id()))) {
            results.finish(NOBODY.executor(), List.of(result(entry, answer, millis)));
        }
    }

    private static TaskResult result(OutboxEntry entry, byte[] answer, long millis) {
        String text = new String(answer, StandardCharsets.UTF_8);
        boolean isJson = !text.isBlank() && JsonText.fits(text, Integer.MAX_VALUE);
        if (!isJson || !text.stripLeading().startsWith("{")) {
            return TaskResult.ok(entry.taskId(), entry.attempt(), isJson ? text : null, List.of(), millis);
        }
        try {
            JsonObject json = Json.readObject(answer);
            List<TaskChild> children =
                    json.objects("children").stream().map(TaskChild::from).toList();
            String result = children.isEmpty() ? text : JsonText.object("children", children.size());
            return TaskResult.ok(entry.taskId(), entry.attempt(), result, children, millis);
        } catch (WireFormatException e) {
            return new TaskResult(
                    entry.taskId(),
                    entry.attempt(),
                    TaskResult.Outcome.PERMANENT,
                    null,
                    List.of(),
                    new TaskResult.Problem("BAD_ANSWER", e.getMessage(), null),
                    null,
                    millis);
        }
    }
}
