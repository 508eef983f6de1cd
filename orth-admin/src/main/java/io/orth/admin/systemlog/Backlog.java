package io.orth.admin.systemlog;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.springframework.stereotype.Component;

/** Lines that wait in memory to be archived; above a limit further ones are dropped and counted. */
@Component
final class Backlog {

    static final int MOST = 5_000;

    /** Guarded by this. */
    private final Deque<LogLine> lines = new ArrayDeque<>();

    private long dropped;

    /** Returns whether there was room. */
    synchronized boolean offer(LogLine line) {
        if (lines.size() >= MOST) {
            dropped++;
            return false;
        }
        lines.addLast(line);
        return true;
    }

    /** Takes the oldest. */
    synchronized List<LogLine> take(int most) {
        List<LogLine> taken = new ArrayList<>(Math.min(most, lines.size()));
        while (taken.size() < most && !lines.isEmpty()) {
            taken.add(lines.removeFirst());
        }
        return taken;
    }

    /** Never drops lines, so that there may be more than {@link #MOST}. */
    synchronized void putBack(List<LogLine> taken) {
        for (int i = taken.size() - 1; i >= 0; i--) {
            lines.addFirst(taken.get(i));
        }
    }

    synchronized int size() {
        return lines.size();
    }

    /** Number of lines dropped since the last call. */
    synchronized long takeDropped() {
        long since = dropped;
        dropped = 0;
        return since;
    }

    /** Lines that were lost elsewhere. */
    synchronized void drop(long further) {
        dropped += further;
    }
}
