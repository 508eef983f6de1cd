package io.orth.executor.internal.pipeline;

import io.orth.protocol.BegunTask;
import io.orth.protocol.TaskContent;
import io.orth.protocol.TaskKey;
import io.orth.protocol.TaskSteps;
import io.orth.protocol.TaskVerdict;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/** Where tasks are begun and spoken about: the admins, or what stands for them in a test. */
public interface TaskPort {

    /**
     * Asks whether the task is to be done. From now on the result of its run is the task's; unless the run was told to stop by then, in
     * which case nothing is asked and the answer is an exception.
     */
    CompletableFuture<BegunTask> begin(TaskKey key, BooleanSupplier isCancelled);

    /** The task is going to be done. */
    void running(TaskKey key, LiveTask task);

    CompletableFuture<TaskVerdict> content(TaskContent.Item item);

    CompletableFuture<TaskVerdict> step(TaskSteps.Item item);

    /** The task is not this executor's any more: its handler is to stop. */
    void over(TaskKey key, String reason);
}
