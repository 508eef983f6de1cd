package io.orth.admin.deadletter;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.time.Instant;

/**
 * Selection of dead letters. A null field matches all.
 *
 * @param handler handler of the run's job; admins know no handlers of messages
 * @param error part of the error text, ignoring case
 * @param from earliest time of dead-lettering
 * @param to latest time of dead-lettering, exclusive
 */
public record DeadLetterFilter(
        DeadKind kind,
        @JsonIgnore Integer queueId,
        Integer jobId,
        String handler,
        String traceId,
        String fingerprint,
        String error,
        Instant from,
        Instant to) {

    public static final DeadLetterFilter ALL =
            new DeadLetterFilter(null, null, null, null, null, null, null, null, null);

    public static DeadLetterFilter ofQueue(int queueId) {
        return ALL.of(DeadKind.MESSAGE, queueId);
    }

    /** Returns this filter restricted to one queue or job. */
    DeadLetterFilter of(DeadKind whose, Integer owner) {
        boolean message = whose == DeadKind.MESSAGE;
        return new DeadLetterFilter(
                kind,
                message ? owner : queueId,
                message ? jobId : owner,
                handler,
                traceId,
                fingerprint,
                error,
                from,
                to);
    }

    boolean isOfOneOwner() {
        return queueId != null || jobId != null;
    }

    /** Returns whether no dead letter can match, because the filter has conditions for both messages and runs. */
    boolean contradictsItself() {
        return (queueId != null && (jobId != null || handler != null || kind == DeadKind.RUN))
                || ((jobId != null || handler != null) && kind == DeadKind.MESSAGE);
    }

    /** Returns whether the group counts give the number of matches, so that no dead letter has to be read. */
    boolean isOfWholeGroups() {
        return handler == null && traceId == null && error == null && from == null && to == null;
    }
}
