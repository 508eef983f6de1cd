package io.orth.admin.kernel;

import io.orth.protocol.StateTransition.Work;
import java.time.Instant;

/**
 * A row after its status change.
 *
 * @param since when the row entered the status it left; null for a new row
 * @param work description of the work if available; otherwise null
 * @param attempt attempt of the message or task; null for other entities, 0 before the first attempt
 */
public record MovedRow(
        long id,
        int sequence,
        Instant since,
        Instant at,
        Integer jobId,
        Long executorId,
        String traceId,
        Work work,
        Integer attempt) {

    public MovedRow(long id, int sequence, Instant since, Instant at, Integer jobId, Long executorId, String traceId) {
        this(id, sequence, since, at, jobId, executorId, traceId, null, null);
    }

    public MovedRow atAttempt(int number) {
        return new MovedRow(id, sequence, since, at, jobId, executorId, traceId, work, number);
    }
}
