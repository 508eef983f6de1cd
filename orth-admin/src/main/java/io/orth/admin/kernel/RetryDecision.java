package io.orth.admin.kernel;

import io.orth.protocol.MessageResult;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;

/**
 * Whether a failed attempt is retried, and after which delay. The only place that decides this, for runs, messages, tasks, deliveries and
 * alarms.
 *
 * @param delay zero unless the outcome is {@link Outcome#RETRY}
 */
public record RetryDecision(Outcome outcome, Duration delay) {

    /** Outcome of the decision. */
    public enum Outcome {
        RETRY,
        /** No retry: no attempts are left. */
        EXHAUSTED,
        /** No retry: no further attempt can fix the failure. */
        NON_RETRYABLE
    }

    /**
     * Decides about the attempt that has just failed.
     *
     * @param attempt number of that attempt, from 1
     * @param requestedDelay delay requested by the worker instead of the policy's; null if the policy decides
     * @param nonRetryable whether the worker reports that no further attempt can fix the failure
     */
    public static RetryDecision next(RetryPolicy policy, int attempt, Duration requestedDelay, boolean nonRetryable) {
        return next(policy, attempt, requestedDelay, nonRetryable, RetryDecision::random);
    }

    static RetryDecision next(
            RetryPolicy policy, int attempt, Duration requestedDelay, boolean nonRetryable, DoubleSupplier random) {
        if (nonRetryable) {
            return new RetryDecision(Outcome.NON_RETRYABLE, Duration.ZERO);
        }
        if (attempt >= policy.maxAttempts()) {
            return new RetryDecision(Outcome.EXHAUSTED, Duration.ZERO);
        }
        return new RetryDecision(
                Outcome.RETRY,
                requestedDelay == null ? delay(policy.backoff(), attempt, random) : bounded(requestedDelay));
    }

    /**
     * Decides about an attempt that was lost with its executor, or that its executor does not know. It counts as a failed attempt. The
     * next attempt waits for the policy's delay, but at least for {@code grace}: meanwhile the executor may come back and deliver the
     * result of the lost attempt.
     */
    public static RetryDecision afterLoss(RetryPolicy policy, int attempt, Duration grace) {
        RetryDecision decision = next(policy, attempt, null, false);
        return decision.isRetry() && decision.delay().compareTo(grace) < 0
                ? new RetryDecision(Outcome.RETRY, grace)
                : decision;
    }

    /** Returns the delay after {@code failures} consecutive failures, for work that is retried without limit. */
    public static Duration delayAfter(Backoff backoff, int failures) {
        return delay(backoff, failures, RetryDecision::random);
    }

    public boolean isRetry() {
        return outcome == Outcome.RETRY;
    }

    /** With jitter the delay is uniformly distributed between its shortened and lengthened values, capped at {@code maxDelay}. */
    private static Duration delay(Backoff backoff, int attempt, DoubleSupplier random) {
        double longest = backoff.maxDelay().toMillis();
        double millis =
                Math.min(longest, backoff.initialDelay().toMillis() * Math.pow(backoff.multiplier(), attempt - 1.0));
        if (backoff.jitter() > 0) {
            double from = millis * (1 - backoff.jitter());
            double to = Math.min(longest, millis * (1 + backoff.jitter()));
            millis = from + (to - from) * random.getAsDouble();
        }
        return Duration.ofMillis((long) millis);
    }

    private static Duration bounded(Duration requested) {
        Duration longest = MessageResult.LONGEST_RETRY_AFTER;
        if (requested.isNegative()) {
            return Duration.ZERO;
        }
        return requested.compareTo(longest) > 0 ? longest : requested;
    }

    private static double random() {
        return ThreadLocalRandom.current().nextDouble();
    }
}
