package io.orth.admin.pipeline;

import io.orth.admin.kernel.Fence;
import io.orth.admin.kernel.JsonText;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.PlainText;
import io.orth.admin.kernel.StateChanges;
import io.orth.admin.kernel.Transactions;
import io.orth.protocol.TaskContent;
import io.orth.protocol.TaskContentReply;
import io.orth.protocol.TaskSteps;
import io.orth.protocol.TaskStepsReply;
import io.orth.protocol.TaskVerdict;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Where executors report what running tasks make and how far they are. All of it may be reported twice. Each item is taken down in a
 * short transaction of its own.
 */
public final class TaskDesk {

    private static final int MOST_AT_ONCE = 1_000;
    private static final int MOST_STEPS = 1_000;
    private static final int MOST_PAYLOAD = 8_192;
    private static final int LONGEST_REF = 500;
    private static final int LONGEST_STATUS = 32;

    private static final String COUNT_STEP = """
            update orth_pipeline_task set steps = steps + 1 where id = :id and steps < :most
            """;

    private final JdbcClient jdbc;
    private final Transactions transactions;
    private final PipelineRepository pipelines;
    private final PipelineRunRepository runs;
    private final TaskRepository tasks;
    private final ContentLog content;
    private final ExecutionLog log;

    TaskDesk(JdbcClient jdbc, StateChanges journal, Transactions transactions, TaskRepository tasks) {
        this.jdbc = jdbc;
        this.transactions = transactions;
        this.pipelines = new PipelineRepository(jdbc);
        this.runs = new PipelineRunRepository(jdbc, journal);
        this.tasks = tasks;
        this.content = new ContentLog(jdbc);
        this.log = new ExecutionLog(jdbc);
    }

    /** What is done for a task that is where its executor thinks it is. */
    @FunctionalInterface
    private interface Note {
        TaskVerdict take(PipelineTask task, Instant at);
    }

    public TaskContentReply content(long executor, TaskContent request) {
        checkSize(request.items());
        request.items().forEach(TaskDesk::check);
        return new TaskContentReply(request.items().stream()
                .map(item -> new TaskContentReply.Item(
                        item.taskId(),
                        item.ref(),
                        note(new Fence(executor, item.logId()), item.taskId(), (task, at) -> record(task, item, at))))
                .toList());
    }

    private TaskVerdict record(PipelineTask task, TaskContent.Item item, Instant at) {
        String status = item.status() == null ? ContentLog.STORED : item.status();
        return content.record(task, item.ref(), status, item.size(), at) ? TaskVerdict.RECORDED : TaskVerdict.KNOWN;
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
                        note(
                                new Fence(executor, item.logId()),
                                item.taskId(),
                                (task, at) -> step(task, item.payload(), at))))
                .toList());
    }

    private TaskVerdict step(PipelineTask task, String payload, Instant at) {
        int counted = jdbc.sql(COUNT_STEP)
                .param("id", task.id())
                .param("most", MOST_STEPS)
                .update();
        if (counted == 0) {
            return TaskVerdict.FULL;
        }
        log.append(List.of(new ExecutionLog.Line(task.rootId(), task.id(), ExecutionLog.STEP, payload)), at);
        return TaskVerdict.RECORDED;
    }

    private TaskVerdict note(Fence claim, long id, Note note) {
        return transactions.call(() -> {
            Map<Long, PipelineRun> entered = runs.enter(tasks.rootsOf(List.of(id)));
            PipelineTask task = tasks.lock(List.of(id)).get(id);
            if (task == null) {
                return TaskVerdict.STALE;
            }
            if (task.status() == PipelineTaskStatus.CANCELLED
                    || entered.get(task.rootId()).status() == PipelineRunStatus.CANCELLED) {
                return TaskVerdict.CANCELLED;
            }
            boolean running = task.status() == PipelineTaskStatus.RUNNING && claim.equals(task.claim());
            return running ? note.take(task, pipelines.now()) : TaskVerdict.STALE;
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
