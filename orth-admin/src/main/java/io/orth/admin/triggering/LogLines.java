package io.orth.admin.triggering;

import io.orth.protocol.LogRange;
import io.orth.protocol.LogReply;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * What an executor answered that gives logs by line, as a piece of a log that is numbered by line.
 *
 * @param from how many lines come before these
 * @param upTo the number of the last line; {@code from} where there is none
 */
record LogLines(boolean exists, long from, long upTo, List<String> lines) {

    /** The answer to a request for the lines after {@code from}. */
    static LogLines of(LogReply reply, long from) {
        boolean exists = !(reply.end() && reply.toLine() == 0);
        if (!exists || reply.toLine() <= from) {
            return new LogLines(exists, from, from, List.of());
        }
        String[] lines = reply.text().split("\n", -1);
        boolean closed = lines[lines.length - 1].isEmpty();
        return new LogLines(
                true, from, reply.toLine(), Arrays.asList(lines).subList(0, lines.length - (closed ? 1 : 0)));
    }

    /** The last line, which may be only the beginning of one; null where there is none. */
    String last() {
        return lines.isEmpty() ? null : lines.get(lines.size() - 1);
    }

    /** At most {@code maxBytes}, but at least one line; the last one not where {@code withoutLast}. */
    LogRange range(int maxBytes, boolean withoutLast) {
        int most = lines.size() - (withoutLast && !lines.isEmpty() ? 1 : 0);
        StringBuilder text = new StringBuilder();
        int taken = 0;
        long bytes = 0;
        while (taken < most) {
            String line = lines.get(taken);
            bytes += line.getBytes(StandardCharsets.UTF_8).length + 1;
            if (taken > 0 && bytes > maxBytes) {
                break;
            }
            text.append(line).append('\n');
            taken++;
        }
        long to = taken == lines.size() ? upTo : from + taken;
        return new LogRange(exists, from, to, withoutLast ? from + most : upTo, text.toString());
    }
}
