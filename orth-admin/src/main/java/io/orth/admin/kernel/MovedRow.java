package io.orth.admin.kernel;

import java.time.Instant;

/**
 * A row as its status change left it.
 *
 * @param since when it had entered the status it left; null for a row just created
 */
public record MovedRow(
        long id, int sequence, Instant since, Instant at, Integer jobId, Long executorId, String traceId) {}
