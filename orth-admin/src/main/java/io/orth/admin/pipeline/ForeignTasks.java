package io.orth.admin.pipeline;

import io.orth.admin.kernel.Fence;
import io.orth.admin.kernel.JsonText;
import io.orth.admin.kernel.StateChanges;
import io.orth.protocol.Json;
import io.orth.protocol.JsonObject;
import io.orth.protocol.TaskChild;
import io.orth.protocol.WireFormatException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Tasks that somebody outside does: what is told of them, and what comes of the answer. */
final class ForeignTasks {

    /** No executor has this number. */
    private static final long NO_EXECUTOR = 0;

    private final JdbcClient jdbc;
    private final StateChanges journal;
    private final PipelineMetrics metrics;
    private final PipelineRepository pipelines;
    private final PipelineRunRepository runs;
    private final TaskRepository tasks;
    private final OutboxRepository outbox;

    ForeignTasks(
            JdbcClient jdbc,
            StateChanges journal,
            PipelineMetrics metrics,
            TaskRepository tasks,
            OutboxRepository outbox) {
        this.jdbc = jdbc;
        this.journal = journal;
        this.metrics = metrics;
        this.pipelines = new PipelineRepository(jdbc);
        this.runs = new PipelineRunRepository(jdbc, journal);
        this.tasks = tasks;
        this.outbox = outbox;
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
                Map<String, Object> body = new HashMap<>(CarriedTasks.details(task, entry.attempt(), run, List.of())
                        .toJson());
                body.put("scope", run.scope());
                body.put("options", run.options());
                bodies.put(entry.id(), Json.write(body));
            }
        }
        return bodies;
    }

    /** What came of an attempt. */
    private record Answer(String result, List<TaskChild> children, String problem) {}

    /**
     * The task is started and ended in one step, as an outside receiver reports only the end, also if its pipeline was paused meanwhile. In
     * the caller's transaction. Where it is not to be done any more, the answer does not count.
     *
     * @param answer what was answered, of which the children are proposed for the next stage
     */
    void answered(OutboxEntry entry, byte[] answer, long millis) {
        List<Long> id = List.of(entry.taskId());
        Map<Long, PipelineRun> entered = runs.enter(tasks.rootsOf(id));
        PipelineTask task = tasks.lock(id).get(entry.taskId());
        if (task == null
                || !task.isNext(entry.attempt())
                || !entered.get(task.rootId()).status().isOpen()) {
            return;
        }
        TaskEndings start = new TaskEndings(jdbc, journal, metrics, tasks, outbox, entered, pipelines.now());
        start.start(task, entry.attempt(), new Fence(NO_EXECUTOR, entry.id()));
        start.end();
        PipelineTask started = tasks.lock(id).get(entry.taskId());
        TaskEndings end = new TaskEndings(jdbc, journal, metrics, tasks, outbox, entered, start.at());
        Answer read = read(answer);
        if (read.problem() == null) {
            end.succeed(started, read.result(), read.children(), millis);
        } else {
            end.fail(started, PipelineTaskCause.FAILED_FOR_GOOD, read.problem(), millis);
        }
        end.end();
    }

    private static Answer read(byte[] answer) {
        String text = new String(answer, StandardCharsets.UTF_8);
        boolean isJson = !text.isBlank() && JsonText.fits(text, Integer.MAX_VALUE);
        if (!isJson || !text.stripLeading().startsWith("{")) {
            return new Answer(isJson ? text : null, List.of(), null);
        }
        try {
            JsonObject json = Json.readObject(answer);
            List<TaskChild> children =
                    json.objects("children").stream().map(TaskChild::from).toList();
            String result = children.isEmpty() ? text : JsonText.object("children", children.size());
            return new Answer(result, children, null);
        } catch (WireFormatException e) {
            return new Answer(null, List.of(), TaskEndings.problem("BAD_ANSWER", e.getMessage(), null));
        }
    }
}
