package io.orth.executor.internal.log;

import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * An index of line starts for the most recently read logs, so that consecutive reads need not count from the first line. Holds
 * {@value #MOST_LOGS} logs and at most {@value #MOST_LINES} lines of each; beyond that, every second line is dropped.
 */
final class LineIndex {

    static final int MOST_LOGS = 64;
    static final int MOST_LINES = 512;

    // Guarded by this.
    private final Map<Path, TreeMap<Long, Long>> logs = new LinkedHashMap<>(16, 0.75f, true);

    /** The start of a line: its number and the number of its first byte. */
    record Mark(long line, long offset) {}

    /** Returns the last known line start at or before {@code line}. */
    synchronized Mark before(Path log, long line) {
        TreeMap<Long, Long> lines = logs.get(log);
        Map.Entry<Long, Long> known = lines == null ? null : lines.floorEntry(line);
        return known == null ? new Mark(1, 0) : new Mark(known.getKey(), known.getValue());
    }

    synchronized void add(Path log, Mark mark) {
        TreeMap<Long, Long> lines = logs.computeIfAbsent(log, any -> new TreeMap<>());
        lines.put(mark.line(), mark.offset());
        if (lines.size() > MOST_LINES) {
            thinOut(lines.keySet().iterator());
        }
        if (logs.size() > MOST_LOGS) {
            logs.remove(logs.keySet().iterator().next());
        }
    }

    synchronized int size() {
        return logs.values().stream().mapToInt(TreeMap::size).sum();
    }

    private static void thinOut(Iterator<Long> lines) {
        for (boolean goes = true; lines.hasNext(); goes = !goes) {
            lines.next();
            if (goes) {
                lines.remove();
            }
        }
    }
}
