package io.orth.admin.triggering;

import io.orth.protocol.LogRange;
import io.orth.protocol.LogReply;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * A chunk of a log that is numbered by line, from the response of an executor that serves logs by line.
 *
 * @param from number of lines before these
 * @param upTo number of the last line; {@code from} if there is none
 */
record LogLines(boolean exists, long from, long upTo, List<String> lines) {

    /** Returns the response to a request for the lines after {@code from}. */
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

    /** Returns the last line, which may be incomplete; null if there is none. */
    String last() {
        return lines.isEmpty() ? null : lines.get(lines.size() - 1);
    }

    /** Returns at most {@code maxBytes}, but at least one line; omits the last line if {@code withoutLast}. */
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
