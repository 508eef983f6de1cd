package io.orth.executor.internal.log;

import io.orth.protocol.WireFormatException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;

/** Where log files are: {@code {root}/{yyyy-MM-dd}/{logId}.log}, the day in the executor's zone, the path made of numbers only. */
public record RunLogFiles(Path root, Clock clock, long maxBytes) {

    private static final int LAST_YEAR = 9_999;

    /** A log to write to; its file appears with the first line. */
    public RunLog open(long logId, long logDateTime) {
        return new RunLog(pathOf(logId, logDateTime), clock, maxBytes);
    }

    /** The file of a run, whether it is there or not. */
    public Path pathOf(long logId, long logDateTime) {
        if (logId <= 0) {
            throw new WireFormatException("'logId' must be positive");
        }
        LocalDate day =
                Instant.ofEpochMilli(logDateTime).atZone(clock.getZone()).toLocalDate();
        if (logDateTime < 0 || day.getYear() > LAST_YEAR) {
            throw new WireFormatException("'logDateTime' is not a time of our era");
        }
        return root.resolve(day.toString()).resolve(logId + ".log");
    }
}
