package io.orth.executor;

import io.orth.executor.internal.job.CurrentRun;
import io.orth.executor.internal.job.RunScope;
import java.time.Instant;
import java.util.concurrent.Callable;
import org.slf4j.helpers.MessageFormatter;

/**
 * What a handler may ask and tell while it runs, from its own thread or any thread it started. Outside a run the questions
 * answer null or their neutral value, and nothing is written.
 */
public final class OrthJobHelper {

    private OrthJobHelper() {}

    public static String getJobParam() {
        return OrthJobContext.current().map(OrthJobContext::param).orElse(null);
    }

    public static int getJobId() {
        return OrthJobContext.current().map(OrthJobContext::jobId).orElse(-1);
    }

    public static long getLogId() {
        return OrthJobContext.current().map(OrthJobContext::logId).orElse(-1L);
    }

    /** The planned instant; null when the run was triggered by hand. */
    public static Instant getScheduleTime() {
        return OrthJobContext.current().map(OrthJobContext::scheduleTime).orElse(null);
    }

    public static int getShardIndex() {
        return OrthJobContext.current().map(OrthJobContext::shardIndex).orElse(0);
    }

    public static int getShardTotal() {
        return OrthJobContext.current().map(OrthJobContext::shardTotal).orElse(1);
    }

    /** Adds a line to the run's log; {@code {}} stands for the next argument, a throwable left over prints its stack. */
    public static void log(String pattern, Object... arguments) {
        CurrentRun.find().ifPresent(run -> {
            var message = MessageFormatter.arrayFormat(pattern, arguments);
            if (message.getThrowable() == null) {
                run.log().line(message.getMessage());
            } else {
                run.log().line(message.getMessage(), message.getThrowable());
            }
        });
    }

    /** Adds the stack trace to the run's log. */
    public static void log(Throwable problem) {
        CurrentRun.find().ifPresent(run -> run.log().line(problem.toString(), problem));
    }

    public static void handleSuccess() {
        handleSuccess(null);
    }

    /** The run ends as a success with this message, unless the handler throws or says otherwise later. */
    public static void handleSuccess(String message) {
        report(RunResult.success(message));
    }

    public static void handleFail() {
        handleFail(null);
    }

    /** The run ends as failed for this reason, unless the handler says otherwise later. */
    public static void handleFail(String reason) {
        report(RunResult.fail(reason));
    }

    /** Carries the current run into a task that a pool's thread will run. */
    public static Runnable wrap(Runnable task) {
        RunScope run = CurrentRun.find().orElse(null);
        return () -> CurrentRun.during(run, task);
    }

    /** Carries the current run into a task that a pool's thread will run. */
    public static <T> Callable<T> wrap(Callable<T> task) {
        RunScope run = CurrentRun.find().orElse(null);
        return () -> CurrentRun.during(run, task);
    }

    private static void report(RunResult result) {
        CurrentRun.find().ifPresent(run -> run.report(result));
    }
}
