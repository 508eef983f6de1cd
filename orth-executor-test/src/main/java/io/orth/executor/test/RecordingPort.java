package io.orth.executor.test;

import io.orth.executor.internal.pipeline.LiveTask;
import io.orth.executor.internal.pipeline.TaskPort;
import io.orth.protocol.TaskContent;
import io.orth.protocol.TaskSteps;
import io.orth.protocol.TaskVerdict;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

/** Replaces the admins and keeps what the task reports. */
final class RecordingPort implements TaskPort {

    private final List<FinishedTask.Content> content = new CopyOnWriteArrayList<>();
    private final List<String> steps = new CopyOnWriteArrayList<>();

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
    public void over(LiveTask task, String reason) {
        throw new AssertionError("nobody says that the task is over");
    }

    List<FinishedTask.Content> content() {
        return content;
    }

    List<String> steps() {
        return steps;
    }
}
