package io.orth.admin.api;

import io.orth.admin.deadletter.DeadLetter;
import java.time.Instant;

/**
 * A dead letter in a list.
 *
 * @param no its number in the list, by which operations name it
 * @param id the message's or the run's
 * @param queue null for a run
 * @param jobId null for a message, as are its name and handler
 * @param error its first 500 characters
 * @param payload the first 500 characters; of a run, its parameter
 * @param pushedAt when it was pushed, or the first of the attempts was made
 */
record DeadLetterView(
        String no,
        String kind,
        String id,
        String queue,
        String jobId,
        String jobName,
        String handler,
        String cause,
        String error,
        String fingerprint,
        int attempt,
        int maxAttempts,
        Instant diedAt,
        Instant pushedAt,
        String traceId,
        String payload) {

    static DeadLetterView of(DeadLetter letter) {
        DeadLetter.OfJob job = letter.job();
        DeadLetter.Death death = letter.death();
        return new DeadLetterView(
                Long.toString(letter.no()),
                letter.kind().name(),
                Long.toString(letter.id()),
                letter.queue(),
                job == null ? null : Integer.toString(job.id()),
                job == null ? null : job.name(),
                job == null ? null : job.handler(),
                death.cause(),
                death.error(),
                death.fingerprint(),
                letter.attempt(),
                letter.maxAttempts(),
                death.at(),
                letter.pushedAt(),
                letter.traceId(),
                letter.text());
    }
}
