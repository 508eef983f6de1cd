package io.orth.executor.internal.pipeline;

import io.orth.executor.FailForGoodException;
import io.orth.executor.JobHandler;
import io.orth.executor.OrthJobContext;
import io.orth.executor.OrthJobHelper;
import io.orth.executor.RetryAfterException;
import io.orth.executor.RunResult;
import io.orth.executor.internal.job.CurrentRun;
import io.orth.executor.internal.job.RunScope;
import io.orth.executor.internal.log.RunLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The handler of a stage's queue: executes the task that a message carries. */
final class StageRun implements JobHandler {

    static final String TRACEPARENT = "traceparent";
    static final String NO_HANDLER = "NO_HANDLER";

    private static final Logger log = LoggerFactory.getLogger(StageRun.class);

    private final StageQueue stage;

    StageRun(StageQueue stage) {
        this.stage = stage;
    }

    @Override
    public RunResult execute(OrthJobContext context) {
        if (context.task().isEmpty()) {
            return RunResult.failForGood("the message carries no task of a pipeline");
        }
        LiveTask task = (LiveTask) context.task().get();
        TaskFacts.putIntoMdc(task);
        try {
            log.debug("attempt {} at a task starts", task.attempt());
            return run(task, CurrentRun.find().orElseThrow());
        } finally {
            TaskFacts.removeFromMdc();
        }
    }

    private RunResult run(LiveTask task, RunScope scope) {
        if (!task.pipeline().equals(stage.pipeline()) || !task.stage().equals(stage.stage())) {
            task.threw(new TaskProblem(NO_HANDLER, ""));
            return RunResult.fail("this executor works on the stage '%s' of '%s' by this queue, not on '%s' of '%s'"
                    .formatted(stage.stage(), stage.pipeline(), task.stage(), task.pipeline()));
        }
        try {
            Object value = stage.handler().execute(task);
            if (value instanceof RunResult result) {
                return result;
            }
            task.returned(value);
            return RunResult.success();
        } catch (Throwable problem) {
            task.threw(problem);
            RunResult failure = failure(task, problem);
            // The last report wins: the run has failed, whatever the handler reported before.
            scope.report(failure);
            return failure;
        }
    }

    /** Returns the failure as for any handler, after redaction of its texts. */
    private RunResult failure(LiveTask task, Throwable problem) {
        String text = stage.redaction().apply(RunLog.stackTraceOf(problem));
        log.info(
                "attempt {} of {} at a task failed: {}",
                task.attempt(),
                task.maxAttempts(),
                text.lines().findFirst().orElse(""));
        OrthJobHelper.log("{}", "the handler failed\n" + text.stripTrailing());
        if (problem instanceof FailForGoodException) {
            return RunResult.failForGood(text);
        }
        return problem instanceof RetryAfterException later
                ? RunResult.retryAfter(later.delay(), text)
                : RunResult.fail(text);
    }

    @Override
    public String toString() {
        return stage.handler().toString();
    }
}
