package io.orth.admin.deadletter;

import java.time.Instant;

/**
 * Something that was given up.
 *
 * @param no its number in the list
 * @param id the message's or the run's
 * @param queue null for a run
 * @param job null for a message
 * @param pushedAt when it was pushed, or the first of the attempts was made
 * @param text its payload or parameter; in lists the beginning
 * @param size how many bytes that has as a whole
 * @param failures what became of its attempts, as a JSON array; null in lists
 */
public record DeadLetter(
        long no,
        DeadKind kind,
        long id,
        String queue,
        OfJob job,
        Death death,
        int attempt,
        int maxAttempts,
        Instant pushedAt,
        String traceId,
        String text,
        int size,
        String failures) {

    /** @param handler null where it ran its job's source */
    public record OfJob(int id, String name, String handler) {}

    /**
     * Why and when.
     *
     * @param error in lists the beginning
     * @param stack where it happened; null where nobody said, and in lists
     * @param fingerprint the same for failures of one kind
     */
    public record Death(String cause, String error, String stack, String fingerprint, Instant at) {}
}
