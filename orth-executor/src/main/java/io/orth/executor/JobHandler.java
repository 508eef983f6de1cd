package io.orth.executor;

import java.time.Duration;

/**
 * User code that does the work of a job.
 *
 * <p>Each job has its own lane, which ends after about 90 idle seconds or when the executor stops. Jobs that name the same
 * handler share the object, so {@link #execute} must be safe for use by several lanes at once. {@link #init} is called before
 * the first lane uses the handler and {@link #destroy} after the last one has left it, each on that lane's thread; they never
 * overlap with each other or with a run. A handler that is needed again after that is initialised again.
 */
@FunctionalInterface
public interface JobHandler {

    /**
     * One run. What was reported through {@link OrthJobHelper} counts before what is returned; null counts as success. An
     * exception fails the run with its stack trace.
     */
    RunResult execute(OrthJobContext context) throws Exception;

    /** If this fails, the run that needed it fails, and the next run tries again. */
    default void init() throws Exception {}

    default void destroy() throws Exception {}

    /** As {@link RetryDelay#after}: how long the next attempt waits; null where the backoff of the job or queue decides. */
    default Duration retryDelay(int attempt, Throwable error) throws Exception {
        return null;
    }
}
