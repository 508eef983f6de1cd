package io.orth.executor.internal.job;

import io.orth.executor.FailForGoodException;
import io.orth.executor.RetryAfterException;
import io.orth.executor.RunResult;
import io.orth.executor.internal.log.RunLog;
import io.orth.protocol.Codes;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;

/** Calls user code for a run. Anything it throws fails the run; this includes errors, because the next run may succeed. */
final class HandlerCall {

    private HandlerCall() {}

    static RunResult execute(Run run) {
        RunScope scope = run.scope();
        try {
            RunResult returned = CurrentRun.during(scope, () -> run.handler().execute(scope.context()));
            return delayed(run, scope.reported().orElse(returned == null ? RunResult.success() : returned), null);
        } catch (Throwable problem) {
            return delayed(run, failure(scope, problem), problem);
        }
    }

    /** Adds the delay that the worker decides on, unless the failure itself specifies what follows. */
    private static RunResult delayed(Run run, RunResult result, Throwable error) {
        if (result.code() == Codes.SUCCESS
                || result instanceof RunResult.FailedForGood
                || result instanceof RunResult.RetryAfter) {
            return result;
        }
        try {
            Work work = run.work();
            Duration delay =
                    CurrentRun.during(run.scope(), () -> work.retryDelay().after(work.attempt(), error));
            return delay == null
                    ? result
                    : new RunResult.RetryAfter(
                            delay.isNegative() ? Duration.ZERO : delay, result.text(), result.code());
        } catch (Throwable problem) {
            noteUndecided(run.scope(), problem);
            return result;
        }
    }

    private static void noteUndecided(RunScope scope, Throwable problem) {
        try {
            scope.log()
                    .line("the worker could not decide on a retry delay; the backoff decides\n"
                            + RunLog.stackTraceOf(problem).stripTrailing());
        } catch (Throwable e) {
            // The failure must be reported even if the log line about its delay cannot be written.
        }
    }

    /** Runs the preparation. Returns the failure if it throws. */
    static Optional<RunResult> prepare(RunScope scope, Callable<Void> preparation) {
        try {
            CurrentRun.during(scope, preparation);
            return Optional.empty();
        } catch (Throwable problem) {
            return Optional.of(failure(scope, problem));
        }
    }

    /** Describes the problem defensively, because doing so calls user code that may throw as well. */
    private static RunResult failure(RunScope scope, Throwable problem) {
        try {
            String stackTrace = RunLog.stackTraceOf(problem);
            scope.log().line("the handler failed\n" + stackTrace.stripTrailing());
            return failure(problem, stackTrace);
        } catch (Throwable e) {
            return undescribed(problem);
        }
    }

    private static RunResult failure(Throwable problem, String text) {
        if (problem instanceof FailForGoodException) {
            return RunResult.failForGood(text);
        }
        return problem instanceof RetryAfterException later
                ? RunResult.retryAfter(later.delay(), text)
                : RunResult.fail(text);
    }

    static RunResult undescribed(Throwable problem) {
        return RunResult.fail("failed with %s, which could not be described"
                .formatted(problem.getClass().getName()));
    }
}
