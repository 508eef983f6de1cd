package io.orth.executor.internal.pipeline;

import io.orth.protocol.TaskContent;
import io.orth.protocol.TaskSteps;
import io.orth.protocol.TaskVerdict;
import java.util.concurrent.CompletableFuture;

/** Where running tasks report what they make: the admins, or what stands for them in a test. */
public interface TaskPort {

    CompletableFuture<TaskVerdict> content(TaskContent.Item item);

    CompletableFuture<TaskVerdict> step(TaskSteps.Item item);

    /** The task is not this executor's any more: its handler is to stop. */
    void over(LiveTask task, String reason);
}
