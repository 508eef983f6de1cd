package io.orth.admin.systemlog;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.Objects;

/**
 * A line of the system log.
 *
 * @param node the admin that published it
 * @param number counts the lines of that node; node and number identify the line
 * @param at time of the database, which all nodes use
 * @param workerId the executor instance it is about; may be null
 * @param queue the queue it is about; may be null
 */
public record LogLine(
        String node, long number, Instant at, LogLevel level, String message, String workerId, String queue) {

    static final int LONGEST_MESSAGE = 4_000;
    static final int LONGEST_NAME = 200;

    /** By time; lines of the same instant have the same order on all nodes. */
    public static final Comparator<LogLine> BY_TIME =
            Comparator.comparing(LogLine::at).thenComparing(LogLine::node).thenComparingLong(LogLine::number);

    public LogLine {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(level, "level");
        at = at.truncatedTo(ChronoUnit.MICROS);
        message = LineText.clean(message == null ? "" : message, LONGEST_MESSAGE);
        workerId = nameOrNull(workerId);
        queue = nameOrNull(queue);
    }

    private static String nameOrNull(String name) {
        return name == null || name.isBlank() ? null : LineText.clean(name, LONGEST_NAME);
    }

    /** Identifies the line among those of all nodes. */
    public String key() {
        return node + "#" + number;
    }
}
