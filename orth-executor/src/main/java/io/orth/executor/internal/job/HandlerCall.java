package io.orth.executor.internal.job;

import io.orth.executor.FailForGoodException;
import io.orth.executor.JobHandler;
import io.orth.executor.RetryAfterException;
import io.orth.executor.RunResult;
import io.orth.executor.internal.log.RunLog;
import java.util.Optional;
import java.util.concurrent.Callable;

/** Calls user code for a run. Anything it can throw is the run's failure: errors too, since the next run may do well. */
final class HandlerCall {

    private HandlerCall() {}

    static RunResult execute(RunScope scope, JobHandler handler) {
        try {
            RunResult returned = CurrentRun.during(scope, () -> handler.execute(scope.context()));
            return scope.reported().orElse(returned == null ? RunResult.success() : returned);
        } catch (Throwable problem) {
            return failure(scope, problem);
        }
    }

    /** Returns the failure, if it fails. */
    static Optional<RunResult> prepare(RunScope scope, Callable<Void> preparation) {
        try {
            CurrentRun.during(scope, preparation);
            return Optional.empty();
        } catch (Throwable problem) {
            return Optional.of(failure(scope, problem));
        }
    }

    /** Describing a problem calls its own code, which may throw as well. */
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
