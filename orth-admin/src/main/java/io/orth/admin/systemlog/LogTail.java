package io.orth.admin.systemlog;

import io.orth.admin.kernel.Ticker;
import io.orth.admin.systemlog.SystemLogArchive.Archived;
import io.orth.runtime.Duty;
import java.time.Duration;

/**
 * Adds lines archived by other admins to this node's live list. Lines can become visible out of order, so recently archived ones are read
 * repeatedly for a while. Adding a line twice has no effect.
 */
final class LogTail implements Duty {

    private static final int MOST = 1_000;

    /** No archiving statement takes longer. */
    private static final long SETTLED_AFTER_NANOS = Duration.ofSeconds(60).toNanos();

    private final SystemLogArchive archive;
    private final LiveLines live;
    private final Ticker ticker;

    /** No further lines become visible at or below this place. This field and those below are used by the loop's thread only. */
    private long settled;

    /** Highest place when {@code settled} was last moved. */
    private long marked;

    private long markedNanos;
    private long highest;
    private boolean begun;

    LogTail(SystemLogArchive archive, LiveLines live, Ticker ticker) {
        this.archive = archive;
        this.live = live;
        this.ticker = ticker;
    }

    /** Adds new archived lines. The first pass fills the live list with the newest archived lines. */
    @Override
    public Pass run() {
        if (!begun) {
            archive.search(new LogFilter(null, null, null, null, null, null, null, LiveLines.MOST))
                    .lines()
                    .forEach(live::add);
        }
        for (Archived each : archive.archivedAfter(settled, MOST)) {
            live.add(each.line());
            highest = Math.max(highest, each.place());
        }
        if (!begun) {
            begun = true;
            settled = Math.max(0, highest - MOST);
            marked = settled;
            markedNanos = ticker.nanos();
        } else if (ticker.nanos() - markedNanos >= SETTLED_AFTER_NANOS) {
            settled = marked;
            marked = highest;
            markedNanos = ticker.nanos();
        }
        return Pass.DRAINED;
    }
}
