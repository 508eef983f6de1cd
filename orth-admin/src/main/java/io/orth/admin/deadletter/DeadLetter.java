package io.orth.admin.deadletter;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.time.Instant;

/**
 * Something that was given up.
 *
 * @param no its number in the list
 * @param id the message's or the run's
 * @param queue null for a run
 * @param job all null for a message
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
        @JsonUnwrapped OfJob job,
        @JsonUnwrapped Death death,
        int attempt,
        int maxAttempts,
        Instant diedAt,
        Instant pushedAt,
        String traceId,
        @JsonProperty("payload") String text,
        @JsonIgnore int size,
        @JsonIgnore String failures) {

    /** @param handler null where it ran its job's source */
    public record OfJob(Integer jobId, String jobName, String handler) {}

    /** In lists {@code error} is cut and {@code stack} is null; it is null too if none was reported. */
    public record Death(
            String cause, String error, @JsonIgnore String stack, String fingerprint) {}
}
