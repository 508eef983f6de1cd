package io.orth.executor.test;

import io.orth.executor.internal.pipeline.LiveTask;
import io.orth.executor.internal.pipeline.TaskPort;
import io.orth.protocol.BegunTask;
import io.orth.protocol.TaskContent;
import io.orth.protocol.TaskKey;
import io.orth.protocol.TaskSteps;
import io.orth.protocol.TaskVerdict;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;

/** Stands for the admins: lets the task begin, and remembers what is said about it. */
final class RecordingPort implements TaskPort {

    private final BegunTask.Details details;
    private final List<FinishedTask.Content> content = new CopyOnWriteArrayList<>();
    private final List<String> steps = new CopyOnWriteArrayList<>();
    private volatile LiveTask task;

    RecordingPort(BegunTask.Details details) {
        this.details = details;
    }

    @Override
    public CompletableFuture<BegunTask> begin(TaskKey key, BooleanSupplier isCancelled) {
        return CompletableFuture.completedFuture(BegunTask.run(key.taskId(), key.attempt(), details));
    }

    @Override
    public void running(TaskKey key, LiveTask running) {
        task = running;
    }

    @Override
    public CompletableFuture<TaskVerdict> content(TaskContent.Item item) {
        content.add(new FinishedTask.Content(item.ref(), item.size(), item.status()));
        return CompletableFuture.completedFuture(TaskVerdict.RECORDED);
    }

    @Override
    public CompletableFuture<TaskVerdict> step(TaskSteps.Item item) {
        steps.add(item.payload());
        return CompletableFuture.completedFuture(TaskVerdict.RECORDED);
    }

    @Override
    public void over(TaskKey key, String reason) {
        throw new AssertionError("nobody says that the task is over");
    }

    /** Null if its handler was not called. */
    LiveTask task() {
        return task;
    }

    List<FinishedTask.Content> content() {
        return content;
    }

    List<String> steps() {
        return steps;
    }
}
