package io.orth.admin.kernel;

/**
 * How many attempts there are, the first included, and how long each further one waits. {@link RetryDecision} applies it.
 *
 * @param maxAttempts at least 1; a task that was retried by hand may have more than {@link #MAX_ATTEMPTS}
 */
public record RetryPolicy(int maxAttempts, Backoff backoff) {

    /** What a job, queue, stage or message may ask for. */
    public static final int MAX_ATTEMPTS = 100;

    public RetryPolicy {
        if (maxAttempts < 1) {
            throw OrthException.invalid("maxAttempts", "must be at least 1, got " + maxAttempts);
        }
    }

    /** Refuses a number of attempts that no definition may have. */
    public static void checkMaxAttempts(int maxAttempts) {
        if (maxAttempts < 1 || maxAttempts > MAX_ATTEMPTS) {
            throw OrthException.invalid(
                    "maxAttempts", "must be between 1 and %d, got %d".formatted(MAX_ATTEMPTS, maxAttempts));
        }
    }
}
