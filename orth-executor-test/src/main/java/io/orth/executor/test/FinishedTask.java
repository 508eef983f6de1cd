package io.orth.executor.test;

import io.orth.executor.RunResult;
import java.util.List;
import java.util.Map;

/**
 * The outcome of an attempt at a pipeline task.
 *
 * @param run result of the run that carried the task, and its log
 * @param result return value of the handler as JSON; null if there is none or the attempt failed
 * @param errorCode kind of failure, such as {@code RESULT_TOO_LARGE}; null if the attempt succeeded
 * @param content recorded content, in order
 * @param steps steps for the execution log, each as JSON
 * @param children tasks proposed for the next stage, each target once; empty if the attempt failed
 */
public record FinishedTask(
        FinishedRun run,
        String result,
        String errorCode,
        List<Content> content,
        List<String> steps,
        List<Child> children) {

    /** @param status null for {@code stored} */
    public record Content(String ref, long size, String status) {}

    /** @param params as JSON; null if there are none */
    public record Child(String targetType, String targetId, String params, Map<String, String> meta) {}

    public FinishedTask {
        content = List.copyOf(content);
        steps = List.copyOf(steps);
        children = List.copyOf(children);
    }

    public boolean isSuccess() {
        return run.isSuccess();
    }

    /** Returns whether the failure is non-retryable. */
    public boolean isFailedForGood() {
        return run.result() instanceof RunResult.FailedForGood;
    }
}
