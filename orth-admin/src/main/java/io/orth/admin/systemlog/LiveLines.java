package io.orth.admin.systemlog;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.stereotype.Component;

/**
 * The newest lines of all admins, ordered by time. Adding a line twice has no effect: an evicted line is older than all others and is not
 * added again. Thread-safe.
 */
@Component
public final class LiveLines {

    public static final int MOST = 100;

    /** Ordered by time. The value is the number of lines that arrived earlier. Guarded by this. */
    private final TreeMap<LogLine, Long> lines = new TreeMap<>(LogLine.BY_TIME);

    private long arrived;

    /**
     * Lines that arrived since the last call.
     *
     * @param lines oldest first
     * @param missed number of lines that arrived and were evicted before this call
     * @param upTo cursor of the next call
     */
    public record News(List<LogLine> lines, long missed, long upTo) {}

    synchronized void add(LogLine line) {
        if (lines.size() == MOST && LogLine.BY_TIME.compare(line, lines.firstKey()) < 0) {
            return;
        }
        if (lines.putIfAbsent(line, arrived + 1) != null) {
            return;
        }
        arrived++;
        if (lines.size() > MOST) {
            lines.pollFirstEntry();
        }
    }

    /** Returns the lines, newest first. */
    public synchronized List<LogLine> newest() {
        return new ArrayList<>(lines.descendingKeySet());
    }

    /** Returns all lines with the cursor of the next call. */
    public synchronized News begin() {
        return new News(new ArrayList<>(lines.keySet()), 0, arrived);
    }

    /** @param upTo cursor of the previous call */
    public synchronized News after(long upTo) {
        if (upTo == arrived) {
            return new News(List.of(), 0, arrived);
        }
        List<LogLine> came = lines.entrySet().stream()
                .filter(each -> each.getValue() > upTo)
                .map(Map.Entry::getKey)
                .toList();
        return new News(came, arrived - upTo - came.size(), arrived);
    }
}
