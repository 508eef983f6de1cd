package io.orth.executor;

/** User code that does the tasks of a pipeline's stage. Used by several threads at once where the worker's concurrency is more than 1. */
@FunctionalInterface
public interface StageHandler {

    /**
     * One attempt at a task.
     *
     * @return the task's result: null, or texts, numbers, booleans, enums, times, records, maps and lists of these, at most 8 KB as
     *     JSON. A {@link RunResult} says how the attempt ended, and leaves the task without a result
     */
    Object execute(PipelineTaskContext task) throws Exception;
}
