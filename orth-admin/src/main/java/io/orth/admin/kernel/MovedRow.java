package io.orth.admin.kernel;

import io.orth.protocol.StateTransition.Work;
import java.time.Instant;

/**
 * A row as its status change left it.
 *
 * @param since when it had entered the status it left; null for a row just created
 * @param work what it is about, where that is at hand; otherwise null
 * @param attempt the attempt of a message or task that the change belongs to; null for other entities, 0 before the first attempt
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
