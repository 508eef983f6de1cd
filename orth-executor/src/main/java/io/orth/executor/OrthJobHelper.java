package io.orth.executor;

import io.orth.executor.internal.job.CurrentRun;
import io.orth.executor.internal.job.RunScope;
import java.time.Instant;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import org.slf4j.helpers.MessageFormatter;

/**
 * Access to the current run for a handler, from its own thread or any thread that it started. Outside a run, getters return null
 * or a neutral value, and the other methods do nothing.
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

    /** Returns the fire time that the run was created for; null for a manual trigger. */
    public static Instant getScheduleTime() {
        return OrthJobContext.current().map(OrthJobContext::scheduleTime).orElse(null);
    }

    /** Returns when the admin triggered the run. */
    public static Instant getTriggerTime() {
        return OrthJobContext.current().map(OrthJobContext::triggerTime).orElse(null);
    }

    /** Returns the trace id that follows the work across processes; null if the admin sent none. */
    public static String getTraceId() {
        return OrthJobContext.current().map(OrthJobContext::traceId).orElse(null);
    }

    public static int getShardIndex() {
        return OrthJobContext.current().map(OrthJobContext::shardIndex).orElse(0);
    }

    public static int getShardTotal() {
        return OrthJobContext.current().map(OrthJobContext::shardTotal).orElse(1);
    }

    /**
     * Adds a line to the run's log. Each {@code {}} is replaced with the next argument; if the last argument is a throwable
     * without a placeholder, its stack trace is appended.
     */
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

    /** Adds a stack trace to the run's log. */
    public static void log(Throwable problem) {
        CurrentRun.find().ifPresent(run -> run.log().line(problem.toString(), problem));
    }

    /** Reports the run's progress, from 0 to 100 percent, in its log and on its page in the console. */
    public static void progress(int percent) {
        progress(percent, "");
    }

    /**
     * Reports the run's progress, from 0 to 100 percent, in its log and on its page in the console, and adds {@code text} to the
     * log.
     */
    public static void progress(int percent, String text) {
        int shown = Math.max(0, Math.min(100, percent));
        CurrentRun.find().ifPresent(run -> {
            run.progress(shown);
            run.log().line("progress %d %% %s".formatted(shown, text).stripTrailing());
        });
    }

    /**
     * Returns whether the run has to stop: it was killed, it has reached its timeout, or the executor's shutdown has exceeded its
     * grace period. The handler's thread is interrupted as well. A handler that loops without blocking calls should check this
     * regularly and return.
     */
    public static boolean isCancelled() {
        return CurrentRun.find().map(RunScope::isCancelled).orElse(false);
    }

    public static void handleSuccess() {
        handleSuccess(null);
    }

    /** Sets the result of the run to success with this message. A later call or an exception from the handler overrides it. */
    public static void handleSuccess(String message) {
        report(RunResult.success(message));
    }

    public static void handleFail() {
        handleFail(null);
    }

    /** Sets the result of the run to failure with this reason. A later call overrides it. */
    public static void handleFail(String reason) {
        report(RunResult.fail(reason));
    }

    public static void handleTimeout() {
        handleTimeout(null);
    }

    /** Sets the result of the run to timeout with this reason. A later call or an exception from the handler overrides it. */
    public static void handleTimeout(String reason) {
        report(RunResult.timeout(reason));
    }

    /** Sets the result of the run to this code and message, as {@link RunResult#of} interprets them. */
    public static void handleResult(int code, String message) {
        report(RunResult.of(code, message));
    }

    /** Returns a task that carries the current run to the pool thread that executes it. */
    public static Runnable wrap(Runnable task) {
        RunScope run = CurrentRun.find().orElse(null);
        return () -> CurrentRun.during(run, task);
    }

    /** Returns a task that carries the current run to the pool thread that executes it. */
    public static <T> Callable<T> wrap(Callable<T> task) {
        RunScope run = CurrentRun.find().orElse(null);
        return () -> CurrentRun.during(run, task);
    }

    /** Returns an executor that carries the run of the submitting thread to the pool thread that executes the task. */
    public static Executor wrap(Executor pool) {
        return task -> pool.execute(wrap(task));
    }

    private static void report(RunResult result) {
        CurrentRun.find().ifPresent(run -> run.report(result));
    }
}
