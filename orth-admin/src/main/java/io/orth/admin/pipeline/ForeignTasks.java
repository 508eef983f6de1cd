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
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Attempts that no executor reports: those of outside receivers, which are told of a task and answer, and those whose message cannot be
 * sent.
 */
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
        startAndEnd(entry, () -> true, (task, end) -> {
            Answer read = read(answer);
            if (read.problem() == null) {
                end.succeed(task, read.result(), read.children(), millis);
            } else {
                end.fail(task, PipelineTaskCause.FAILED_FOR_GOOD, read.problem(), millis);
            }
        });
    }

    /**
     * The task has failed, since nothing will send it any more. In the caller's transaction. Where it is not to be done any more, only its
     * entry is parked.
     *
     * @param park parks the entry; false where another node has it by now, and then nothing happens
     */
    boolean notSent(OutboxEntry entry, String error, BooleanSupplier park) {
        return startAndEnd(
                entry,
                park,
                (task, end) ->
                        end.fail(task, PipelineTaskCause.EXHAUSTED, TaskEndings.problem("NOT_SENT", error, null), 0));
    }

    /**
     * The run and its task are locked before the entry, as everywhere.
     *
     * @param settle settles the entry; returns whether it did
     * @param how ends the attempt that was just started
     */
    private boolean startAndEnd(OutboxEntry entry, BooleanSupplier settle, BiConsumer<PipelineTask, TaskEndings> how) {
        List<Long> id = List.of(entry.taskId());
        Map<Long, PipelineRun> entered = runs.enter(tasks.rootsOf(id));
        PipelineTask task = tasks.lock(id).get(entry.taskId());
        if (!settle.getAsBoolean()) {
            return false;
        }
        if (task != null
                && task.isNext(entry.attempt())
                && entered.get(task.rootId()).status().isOpen()) {
            TaskEndings start = new TaskEndings(jdbc, journal, metrics, tasks, outbox, entered, pipelines.now());
            start.start(task, entry.attempt(), new Fence(NO_EXECUTOR, entry.id()));
            start.end();
            TaskEndings end = new TaskEndings(jdbc, journal, metrics, tasks, outbox, entered, start.at());
            how.accept(tasks.lock(id).get(entry.taskId()), end);
            end.end();
        }
        return true;
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
