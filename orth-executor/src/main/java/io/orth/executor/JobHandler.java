package io.orth.executor;

import java.time.Duration;

/**
 * User code that does the work of a job.
 *
 * <p>Each job has its own threads, which end after about 90 idle seconds or when the executor stops. Jobs with the same handler
 * share the object, so {@link #execute} must be safe for concurrent use. {@link #init} is called before the first job uses the
 * handler, and {@link #destroy} after the last one has stopped using it, each on a thread of that job. They never overlap with
 * each other or with a run. A handler that is needed again later is initialized again.
 */
@FunctionalInterface
public interface JobHandler {

    /**
     * Executes one run. A result reported through {@link OrthJobHelper} takes precedence over the return value; null means
     * success. An exception fails the run with its stack trace.
     */
    RunResult execute(OrthJobContext context) throws Exception;

    /** Prepares the handler. If this throws, the run that needs the handler fails, and the next run calls it again. */
    default void init() throws Exception {}

    default void destroy() throws Exception {}

    /**
     * Decides the delay before the next attempt, as {@link RetryDelay#after} does. Returns null if the backoff of the job or
     * queue decides.
     */
    default Duration retryDelay(int attempt, Throwable error) throws Exception {
        return null;
    }
}
