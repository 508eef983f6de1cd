package io.orth.admin.deadletter;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.time.Instant;

/**
 * Which dead letters; null means any.
 *
 * @param handler of the job whose run it is; messages have none that an admin knows of
 * @param error part of the error text, in any case
 * @param from from when they died
 * @param to up to when, not including
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

    /** Those of one queue or job among them. */
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

    /** Whether nothing can be both. */
    boolean contradictsItself() {
        return (queueId != null && (jobId != null || handler != null || kind == DeadKind.RUN))
                || ((jobId != null || handler != null) && kind == DeadKind.MESSAGE);
    }

    /** Whether how many there are is known without looking at them. */
    boolean isOfWholeGroups() {
        return handler == null && traceId == null && error == null && from == null && to == null;
    }
}
