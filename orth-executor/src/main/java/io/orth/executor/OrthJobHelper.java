package io.orth.executor;

import io.orth.executor.internal.job.CurrentRun;
import io.orth.executor.internal.job.RunScope;
import java.time.Instant;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
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

    /** When the admin triggered the run. */
    public static Instant getTriggerTime() {
        return OrthJobContext.current().map(OrthJobContext::triggerTime).orElse(null);
    }

    /** Follows the work across processes; null when the admin sent none. */
    public static String getTraceId() {
        return OrthJobContext.current().map(OrthJobContext::traceId).orElse(null);
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

    /** Says in the run's log and on its page how far the run is: 0 to 100. */
    public static void progress(int percent) {
        progress(percent, "");
    }

    /** Says in the run's log and on its page how far the run is, 0 to 100, and in the log what it is at. */
    public static void progress(int percent, String text) {
        int shown = Math.max(0, Math.min(100, percent));
        CurrentRun.find().ifPresent(run -> {
            run.progress(shown);
            run.log().line("progress %d %% %s".formatted(shown, text).stripTrailing());
        });
    }

    /**
     * Whether the run has been told to stop: it was killed, is out of time, or the executor stops and cannot wait any longer. A
     * handler that loops without waiting asks this now and then and returns; its thread has been interrupted as well.
     */
    public static boolean isCancelled() {
        return CurrentRun.find().map(RunScope::isCancelled).orElse(false);
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

    public static void handleTimeout() {
        handleTimeout(null);
    }

    /** The run ends as timed out for this reason, unless the handler throws or says otherwise later. */
    public static void handleTimeout(String reason) {
        report(RunResult.timeout(reason));
    }

    /** The run ends with this code and message, as {@link RunResult#of} understands them. */
    public static void handleResult(int code, String message) {
        report(RunResult.of(code, message));
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

    /** Carries the run of whoever hands over a task into the pool's thread that runs it. */
    public static Executor wrap(Executor pool) {
        return task -> pool.execute(wrap(task));
    }

    private static void report(RunResult result) {
        CurrentRun.find().ifPresent(run -> run.report(result));
    }
}
