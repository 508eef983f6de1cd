package io.orth.admin.pipeline;

import io.orth.admin.kernel.Fence;
import io.orth.admin.kernel.JsonText;
import io.orth.protocol.Json;
import io.orth.protocol.TaskChild;
import io.orth.protocol.WireFormatException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import org.springframework.stereotype.Component;

/** Attempts that no executor reports: attempts delivered to webhooks, and attempts whose message cannot be sent. */
@Component
final class ForeignTasks {

    /** An id that no executor has. */
    private static final long NO_EXECUTOR = 0;

    private final PipelineTables tables;

    ForeignTasks(PipelineTables tables) {
        this.tables = tables;
    }

    /** Returns the request bodies by entry id. Omits entries whose task no longer needs this attempt. */
    Map<Long, byte[]> bodies(List<OutboxEntry> entries) {
        Map<Long, PipelineTask> found =
                tables.tasks.find(entries.stream().map(OutboxEntry::taskId).toList());
        Map<Long, PipelineRun> of = tables.runs.find(
                found.values().stream().map(PipelineTask::rootId).toList());
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

    /**
     * Starts and finishes the task in one step, because a webhook reports only the result. Does so even if the pipeline has been paused
     * meanwhile. Ignores the response if the task no longer needs this attempt. Runs in the caller's transaction.
     *
     * @param answer the response body; its children are proposed for the next stage
     * @param settle settles the entry; returns false if another node has leased it, and then nothing changes
     */
    boolean answered(OutboxEntry entry, byte[] answer, long millis, BooleanSupplier settle) {
        return startAndEnd(entry, settle, (task, step) -> end(task, answer, millis, step));
    }

    /**
     * Fails the task because its entry will not be sent again. Only parks the entry if the task no longer needs this attempt. Runs in the
     * caller's transaction.
     *
     * @param park parks the entry; returns false if another node has leased it, and then nothing changes
     */
    boolean notSent(OutboxEntry entry, String error, BooleanSupplier park) {
        return startAndEnd(
                entry,
                park,
                (task, step) ->
                        step.fail(task, PipelineTaskCause.EXHAUSTED, TaskEndings.problem("NOT_SENT", error, null), 0));
    }

    /**
     * Lock order, as everywhere: run, task, outbox entry.
     *
     * @param settle settles the entry; returns whether it did
     * @param how finishes the attempt that was just started
     */
    private boolean startAndEnd(OutboxEntry entry, BooleanSupplier settle, BiConsumer<PipelineTask, TaskEndings> how) {
        TaskEndings step = new TaskEndings(tables, List.of(entry.taskId()), null);
        PipelineTask task = step.tasks.get(entry.taskId());
        if (!settle.getAsBoolean()) {
            return false;
        }
        if (task != null
                && task.isNext(entry.attempt())
                && step.runOf(task).status().isOpen()) {
            how.accept(step.start(task, entry.attempt(), new Fence(NO_EXECUTOR, entry.id())), step);
            step.end();
        }
        return true;
    }

    private static void end(PipelineTask task, byte[] answer, long millis, TaskEndings step) {
        String text = new String(answer, StandardCharsets.UTF_8);
        boolean isJson = !text.isBlank() && JsonText.fits(text, Integer.MAX_VALUE);
        if (!isJson || !text.stripLeading().startsWith("{")) {
            step.succeed(task, isJson ? text : null, List.of(), millis);
            return;
        }
        try {
            List<TaskChild> children = Json.readObject(answer).objects("children").stream()
                    .map(TaskChild::from)
                    .toList();
            String result = children.isEmpty() ? text : JsonText.object("children", children.size());
            step.succeed(task, result, children, millis);
        } catch (WireFormatException e) {
            step.fail(
                    task,
                    PipelineTaskCause.FAILED_FOR_GOOD,
                    TaskEndings.problem("BAD_ANSWER", e.getMessage(), null),
                    millis);
        }
    }
}
