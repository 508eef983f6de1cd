package io.orth.executor.internal.pipeline;

import io.orth.executor.internal.job.JobThreads;
import io.orth.executor.internal.job.MessageQueue;
import io.orth.executor.internal.transport.Admins;
import io.orth.protocol.AdminPaths;
import io.orth.protocol.TaskContent;
import io.orth.protocol.TaskContentReply;
import io.orth.protocol.TaskSteps;
import io.orth.protocol.TaskStepsReply;
import io.orth.protocol.TaskVerdict;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The pipeline stages that an executor works on, and the senders of their tasks' content and steps. */
public final class Stages implements TaskPort {

    private static final int BYTES_OF_A_STEP = 80;
    private static final int BYTES_OF_A_CONTENT = 150;

    private final List<MessageQueue> queues;
    private final TaskRecordSender<TaskContent.Item, TaskVerdict> contents;
    private final TaskRecordSender<TaskSteps.Item, TaskVerdict> steps;

    // Set before any task starts.
    private volatile JobThreads lanes;

    /**
     * @param timeout timeout of a request
     * @param retryTime how long a record that the admins reject is retried
     */
    public Stages(
            Collection<StageQueue> stages, String instanceId, Admins admins, Duration timeout, Duration retryTime) {
        this.queues = stages.stream().map(stage -> stage.messageQueue(this)).toList();
        this.contents = new TaskRecordSender<>(
                new TaskRecordSender.Route<>(
                        "contents",
                        AdminPaths.TASK_CONTENT,
                        items -> new TaskContent(instanceId, items),
                        reply -> TaskContentReply.from(reply).items().stream()
                                .map(TaskContentReply.Item::verdict)
                                .toList(),
                        timeout,
                        retryTime),
                admins);
        this.steps = new TaskRecordSender<>(
                new TaskRecordSender.Route<>(
                        "steps",
                        AdminPaths.TASK_STEPS,
                        items -> new TaskSteps(instanceId, items),
                        reply -> TaskStepsReply.from(reply).items().stream()
                                .map(TaskStepsReply.Item::verdict)
                                .toList(),
                        timeout,
                        retryTime),
                admins);
    }

    /** Returns the queues that deliver the tasks. */
    public List<MessageQueue> queues() {
        return queues;
    }

    /** Starts the senders. Called once, before any task starts. */
    public void start(JobThreads where) {
        lanes = where;
        if (!queues.isEmpty()) {
            senders().forEach(TaskRecordSender::start);
        }
    }

    private List<TaskRecordSender<?, ?>> senders() {
        return List.of(contents, steps);
    }

    /** Stops the senders. Records that no admin has accepted after {@code grace} are lost. */
    public void stop(Duration grace) throws InterruptedException {
        if (queues.isEmpty()) {
            return;
        }
        long deadline = System.nanoTime() + grace.toNanos();
        for (TaskRecordSender<?, ?> sender : senders()) {
            sender.stop(deadline);
        }
    }

    @Override
    public CompletableFuture<TaskVerdict> content(TaskContent.Item item) {
        return contents.send(item, BYTES_OF_A_CONTENT + item.ref().length());
    }

    @Override
    public CompletableFuture<TaskVerdict> step(TaskSteps.Item item) {
        return steps.send(item, BYTES_OF_A_STEP + item.payload().length());
    }

    @Override
    public void over(LiveTask task, String reason) {
        lanes.killRuns(List.of(task.logId()), reason);
    }
}
