package io.orth.executor;

import java.time.Duration;

/** Decides the delay before the next attempt, for example {@code (attempt, error) -> Duration.ofSeconds(attempt * 30L)}. */
@FunctionalInterface
public interface RetryDelay {

    /**
     * Returns the delay before the next attempt. Called on the thread of the failed attempt, unless the failure itself specifies
     * the delay or is non-retryable. After the last attempt the return value has no effect. If this method throws, the exception
     * is logged and the backoff applies. The backoff also applies after a timeout or a kill: that result is sent while the
     * handler may still be running and does not wait for this method. The method may still be called for such an attempt once the
     * handler has returned; its return value then has no effect.
     *
     * @param attempt number of the failed attempt, from 1
     * @param error the exception that the handler threw; null if it returned a failure
     * @return at most 366 days, counted from the end of the attempt; null if the backoff of the job or queue decides
     */
    Duration after(int attempt, Throwable error) throws Exception;
}
