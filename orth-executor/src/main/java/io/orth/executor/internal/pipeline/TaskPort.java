package io.orth.executor.internal.pipeline;

import io.orth.protocol.TaskContent;
import io.orth.protocol.TaskSteps;
import io.orth.protocol.TaskVerdict;
import java.util.concurrent.CompletableFuture;

/** Receives the records of running tasks: the admins, or a replacement in tests. */
public interface TaskPort {

    CompletableFuture<TaskVerdict> content(TaskContent.Item item);

    CompletableFuture<TaskVerdict> step(TaskSteps.Item item);

    /** Handles a task that no longer belongs to this executor; its handler has to stop. */
    void over(LiveTask task, String reason);
}
