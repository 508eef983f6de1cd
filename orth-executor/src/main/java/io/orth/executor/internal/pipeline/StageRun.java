package io.orth.executor.internal.pipeline;

import io.orth.executor.FailForGoodException;
import io.orth.executor.JobHandler;
import io.orth.executor.OrthJobContext;
import io.orth.executor.OrthJobHelper;
import io.orth.executor.QueueMessage;
import io.orth.executor.RetryAfterException;
import io.orth.executor.RunResult;
import io.orth.executor.internal.job.CurrentRun;
import io.orth.executor.internal.job.RunScope;
import io.orth.executor.internal.log.RunLog;
import io.orth.protocol.BegunTask;
import io.orth.protocol.TaskKey;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a queue's lane calls for the messages of a stage: begins the task that the message names, and has it done. */
final class StageRun implements JobHandler {

    static final String ROOT = "orth.root";
    static final String TASK = "orth.task";
    static final String ATTEMPT = "orth.attempt";
    static final String TRACEPARENT = "traceparent";
    static final String NO_HANDLER = "NO_HANDLER";

    private static final Logger log = LoggerFactory.getLogger(StageRun.class);
    private static final Duration UNTIL_ADMINS_MAY_TAKE_IT = Duration.ofSeconds(30);

    private final StageQueue stage;
    private final TaskPort port;

    StageRun(StageQueue stage, TaskPort port) {
        this.stage = stage;
        this.port = port;
    }

    @Override
    public RunResult execute(OrthJobContext context) throws Exception {
        QueueMessage message = context.message().orElseThrow();
        Optional<TaskKey> key = keyOf(message, context.logId());
        if (key.isEmpty()) {
            return RunResult.failForGood(
                    "the message is no task of a pipeline: its metadata has no '%s' and '%s'".formatted(TASK, ATTEMPT));
        }
        TaskFacts.of(message).putIntoMdc();
        try {
            return execute(context, message, key.get());
        } finally {
            TaskFacts.removeFromMdc();
        }
    }

    private RunResult execute(OrthJobContext context, QueueMessage message, TaskKey key) throws InterruptedException {
        RunScope scope = CurrentRun.find().orElseThrow();
        CompletableFuture<BegunTask> asked = port.begin(key, scope::isCancelled);
        BegunTask begun;
        try {
            begun = asked.get();
        } catch (ExecutionException e) {
            String reason = e.getCause().getMessage();
            log.info("a task could not be begun: {}", reason);
            return RunResult.retryAfter(UNTIL_ADMINS_MAY_TAKE_IT, "the task could not be begun: " + reason);
        }
        if (!begun.isToRun()) {
            log.debug("a task is skipped: {}", begun.reason());
            OrthJobHelper.log("task {} is skipped: {}", begun.taskId(), begun.reason());
            return RunResult.success("skipped: " + begun.reason());
        }
        LiveTask task = new LiveTask(key, begun.task(), message.metadata().get(TRACEPARENT), stage.redaction(), port);
        TaskFacts.of(task).putIntoMdc();
        log.debug("attempt {} at a task begins", task.attempt());
        port.running(key, task);
        scope.context(contextOf(context, task));
        return run(task, scope);
    }

    private static Optional<TaskKey> keyOf(QueueMessage message, long logId) {
        try {
            Map<String, String> said = message.metadata();
            return Optional.of(new TaskKey(Long.parseLong(said.get(TASK)), Integer.parseInt(said.get(ATTEMPT)), logId));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static OrthJobContext contextOf(OrthJobContext message, LiveTask task) {
        return new OrthJobContext(
                message.jobId(),
                task.params(),
                message.logId(),
                message.scheduleTime(),
                message.triggerTime(),
                message.shardIndex(),
                message.shardTotal(),
                task.traceId(),
                message.message(),
                Optional.of(task));
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
            // The last report counts: whatever the handler has reported before, it has failed.
            scope.report(failure);
            return failure;
        }
    }

    /** As any handler's, but what is told about it goes through the redaction first. */
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
