package io.orth.executor;

import java.time.Duration;

/** A worker's own decision how long the next attempt waits, such as {@code (attempt, error) -> Duration.ofSeconds(attempt * 30L)}. */
@FunctionalInterface
public interface RetryDelay {

    /**
     * Asked on the thread of the attempt that failed, unless the failure itself says what follows. The admin gives up after the last
     * attempt whatever is returned. An exception is logged, and the backoff decides. The backoff also decides after a timeout or a kill:
     * that result is sent while the handler may still be running, and does not wait for this method. It may be called for such an
     * attempt once the handler has returned; what it returns then has no effect.
     *
     * @param attempt the one that failed, from 1
     * @param error what the handler threw; null where it returned a failure
     * @return at most 366 days, counted from the end of the attempt; null where the backoff of the job or queue decides
     */
    Duration after(int attempt, Throwable error) throws Exception;
}
