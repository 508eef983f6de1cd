package io.orth.admin.deadletter;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.time.Instant;

/**
 * A dead-lettered message or run.
 *
 * @param no its number in the list
 * @param id id of the message or run
 * @param queue null for a run
 * @param job all components are null for a message
 * @param pushedAt when the message was pushed or the first attempt of the run was created
 * @param text payload or parameter; truncated in lists
 * @param size size of the full text in bytes
 * @param failures its failed attempts, as a JSON array; null in lists
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

    /** @param handler null if the job runs its own source */
    public record OfJob(Integer jobId, String jobName, String handler) {}

    /**
     * Why it was dead-lettered. In lists {@code error} is truncated and {@code stack} is null. {@code stack} is also null if none was
     * reported.
     */
    public record Death(
            String cause, String error, @JsonIgnore String stack, String fingerprint) {}
}
