package io.orth.admin.systemlog;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.springframework.stereotype.Component;

/** Lines in memory that wait to be archived. Above a limit, new lines are dropped and counted. */
@Component
final class Backlog {

    static final int MOST = 5_000;

    /** Guarded by this. */
    private final Deque<LogLine> lines = new ArrayDeque<>();

    private long dropped;

    /** Adds a line. Returns false if the backlog is full and the line was dropped. */
    synchronized boolean offer(LogLine line) {
        if (lines.size() >= MOST) {
            dropped++;
            return false;
        }
        lines.addLast(line);
        return true;
    }

    /** Removes and returns the oldest lines. */
    synchronized List<LogLine> take(int most) {
        List<LogLine> taken = new ArrayList<>(Math.min(most, lines.size()));
        while (taken.size() < most && !lines.isEmpty()) {
            taken.add(lines.removeFirst());
        }
        return taken;
    }

    /** Returns lines to the front. Never drops lines, so the backlog may exceed {@link #MOST}. */
    synchronized void putBack(List<LogLine> taken) {
        for (int i = taken.size() - 1; i >= 0; i--) {
            lines.addFirst(taken.get(i));
        }
    }

    synchronized int size() {
        return lines.size();
    }

    /** Returns the number of lines dropped since the last call. */
    synchronized long takeDropped() {
        long since = dropped;
        dropped = 0;
        return since;
    }

    /** Adds lines that were lost elsewhere to the number of dropped lines. */
    synchronized void drop(long further) {
        dropped += further;
    }
}
