package io.orth.executor;

/** User code that processes the tasks of a pipeline stage. Called concurrently if the worker's concurrency is above 1. */
@FunctionalInterface
public interface StageHandler {

    /**
     * Processes one attempt at a task.
     *
     * @return the task's result, at most 8 KB as JSON: null, a text, number, boolean, enum, {@code java.time} value or record, or
     *     a map or list of these. A {@link RunResult} sets the outcome of the attempt instead and leaves the task without a
     *     result
     */
    Object execute(PipelineTaskContext task) throws Exception;
}
