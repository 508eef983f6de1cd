package io.orth.admin.pipeline;

import io.orth.admin.kernel.Fence;
import io.orth.admin.kernel.JsonText;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.PlainText;
import io.orth.admin.kernel.Transactions;
import io.orth.protocol.TaskContent;
import io.orth.protocol.TaskContentReply;
import io.orth.protocol.TaskSteps;
import io.orth.protocol.TaskStepsReply;
import io.orth.protocol.TaskVerdict;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.springframework.stereotype.Component;

/**
 * Intake of the content and progress that executors report for running tasks. Reports may be repeated. Each item is recorded in a short
 * transaction of its own.
 */
@Component
public final class TaskDesk {

    private static final int MOST_AT_ONCE = 1_000;
    private static final int MOST_STEPS = 1_000;
    private static final int MOST_PAYLOAD = 8_192;
    private static final int LONGEST_REF = 500;
    private static final int LONGEST_STATUS = 32;

    private final PipelineTables tables;
    private final Transactions transactions;

    TaskDesk(PipelineTables tables, Transactions transactions) {
        this.tables = tables;
        this.transactions = transactions;
    }

    public TaskContentReply content(long executor, TaskContent request) {
        checkSize(request.items());
        request.items().forEach(TaskDesk::check);
        return new TaskContentReply(request.items().stream()
                .map(item -> new TaskContentReply.Item(
                        item.taskId(),
                        item.ref(),
                        note(executor, item.logId(), item.taskId(), (task, at) -> record(task, item, at))))
                .toList());
    }

    private TaskVerdict record(PipelineTask task, TaskContent.Item item, Instant at) {
        String status = item.status() == null ? ContentLog.STORED : item.status();
        boolean fresh = tables.content.record(task, item.ref(), status, item.size(), at);
        return fresh ? TaskVerdict.RECORDED : TaskVerdict.KNOWN;
    }

    public TaskStepsReply steps(long executor, TaskSteps request) {
        List<TaskSteps.Item> items = request.items();
        checkSize(items);
        for (int i = 0; i < items.size(); i++) {
            if (!JsonText.fits(items.get(i).payload(), MOST_PAYLOAD)) {
                throw OrthException.invalid(
                        "items[%d].payload".formatted(i), "must be JSON of at most %d bytes".formatted(MOST_PAYLOAD));
            }
        }
        return new TaskStepsReply(items.stream()
                .map(item -> new TaskStepsReply.Item(
                        item.taskId(),
                        note(executor, item.logId(), item.taskId(), (task, at) -> step(task, item.payload(), at))))
                .toList());
    }

    private TaskVerdict step(PipelineTask task, String payload, Instant at) {
        if (!tables.tasks.countStep(task.id(), MOST_STEPS)) {
            return TaskVerdict.FULL;
        }
        tables.log.append(task.rootId(), task.id(), ExecutionLog.STEP, payload, at);
        return TaskVerdict.RECORDED;
    }

    /** @param note called if the executor still holds the claim of the running task */
    private TaskVerdict note(long executor, long logId, long id, BiFunction<PipelineTask, Instant, TaskVerdict> note) {
        return transactions.call(() -> {
            Map<Long, PipelineRun> entered = tables.runs.enter(tables.tasks.rootsOf(List.of(id)));
            PipelineTask task = tables.tasks.lock(List.of(id)).get(id);
            if (task == null) {
                return TaskVerdict.STALE;
            }
            if (task.status() == PipelineTaskStatus.CANCELLED
                    || entered.get(task.rootId()).status() == PipelineRunStatus.CANCELLED) {
                return TaskVerdict.CANCELLED;
            }
            boolean running =
                    task.status() == PipelineTaskStatus.RUNNING && new Fence(executor, logId).equals(task.claim());
            return running ? note.apply(task, tables.now()) : TaskVerdict.STALE;
        });
    }

    private static void checkSize(List<?> items) {
        if (items.size() > MOST_AT_ONCE) {
            throw OrthException.invalid("items", "must be at most %d".formatted(MOST_AT_ONCE));
        }
    }

    private static void check(TaskContent.Item item) {
        PlainText.require("ref", item.ref(), LONGEST_REF);
        if (item.size() < 0) {
            throw OrthException.invalid("size", "must not be negative");
        }
        PlainText.check("status", item.status(), LONGEST_STATUS);
    }
}
