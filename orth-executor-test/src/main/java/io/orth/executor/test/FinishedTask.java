package io.orth.executor.test;

import io.orth.executor.RunResult;
import java.util.List;
import java.util.Map;

/**
 * What an attempt at a pipeline's task has left behind.
 *
 * @param run its result as a run, and its log
 * @param result what the handler returned, as JSON; null if nothing, or if it failed
 * @param errorCode what kind of failure it was, such as {@code RESULT_TOO_LARGE}; null if it succeeded
 * @param content what it has recorded, in order
 * @param steps what it said for the execution log, each as JSON
 * @param children what it has proposed for the next stage, each target once; none if it failed
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

    /** Whether it failed so that no further attempt is made. */
    public boolean isFailedForGood() {
        return run.result() instanceof RunResult.FailedForGood;
    }
}
