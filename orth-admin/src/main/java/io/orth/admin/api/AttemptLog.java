package io.orth.admin.api;

import io.orth.protocol.LogRange;

/**
 * A piece of the log of an attempt.
 *
 * @param logId the attempt's
 * @param end whether the attempt has ended and nothing follows this piece
 * @param zone the id of the time zone that the times in it are in; null where the executor does not say
 */
record AttemptLog(String logId, boolean exists, long from, long to, long size, String text, boolean end, String zone) {

    /** {@code isRunning} was read before the log, so that no last line is missed. */
    static AttemptLog of(long logId, LogRange range, boolean isRunning, String zone) {
        return new AttemptLog(
                Long.toString(logId),
                range.exists(),
                range.from(),
                range.to(),
                range.size(),
                range.text(),
                !isRunning && range.to() >= range.size(),
                zone);
    }
}
