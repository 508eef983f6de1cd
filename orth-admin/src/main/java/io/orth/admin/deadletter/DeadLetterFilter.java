package io.orth.admin.deadletter;

import java.time.Instant;

/**
 * Which dead letters; null means any.
 *
 * @param error part of the error text, in any case
 * @param from from when they died
 * @param to up to when, not including
 */
public record DeadLetterFilter(
        DeadKind kind, Integer queueId, Integer jobId, String fingerprint, String error, Instant from, Instant to) {

    public static final DeadLetterFilter ALL = new DeadLetterFilter(null, null, null, null, null, null, null);

    /** Whether nothing can be both. */
    boolean contradictsItself() {
        return (queueId != null && (jobId != null || kind == DeadKind.RUN))
                || (jobId != null && kind == DeadKind.MESSAGE);
    }

    /** Whether how many there are is known without looking at them. */
    boolean isOfWholeGroups() {
        return error == null && from == null && to == null;
    }
}
