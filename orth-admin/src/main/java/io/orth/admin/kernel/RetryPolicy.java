package io.orth.admin.kernel;

/**
 * The number of attempts, the first included, and the delays between them. {@link RetryDecision} applies it.
 *
 * @param maxAttempts at least 1; a task that was retried manually may exceed {@link #MAX_ATTEMPTS}
 */
public record RetryPolicy(int maxAttempts, Backoff backoff) {

    /** Upper bound for jobs, queues, stages and messages. */
    public static final int MAX_ATTEMPTS = 100;

    public RetryPolicy {
        if (maxAttempts < 1) {
            throw OrthException.invalid("maxAttempts", "must be at least 1, got " + maxAttempts);
        }
    }

    /** Rejects a number of attempts outside the range allowed in definitions. */
    public static void checkMaxAttempts(int maxAttempts) {
        if (maxAttempts < 1 || maxAttempts > MAX_ATTEMPTS) {
            throw OrthException.invalid(
                    "maxAttempts", "must be between 1 and %d, got %d".formatted(MAX_ATTEMPTS, maxAttempts));
        }
    }
}
