package io.orth.admin.systemlog;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.Objects;

/**
 * A line of the system log.
 *
 * @param node the admin that published it
 * @param number sequence number within the node; node and number identify the line
 * @param at database time, which all nodes share
 * @param workerId the executor instance concerned; may be null
 * @param queue the queue concerned; may be null
 */
public record LogLine(
        String node, long number, Instant at, LogLevel level, String message, String workerId, String queue) {

    static final int LONGEST_MESSAGE = 4_000;
    static final int LONGEST_NAME = 200;

    /** Orders lines by time. Lines of the same instant have the same order on all nodes. */
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

    /** Returns an identifier that is unique across nodes. */
    public String key() {
        return node + "#" + number;
    }
}
