package io.orth.admin.systemlog;

import io.orth.admin.kernel.Ticker;
import io.orth.runtime.Duty;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Archives the lines of this node in batches. While the archive is unavailable, lines are stored on disk and archived later, so memory
 * holds only the most recent ones.
 */
final class LogArchiver implements Duty {

    static final int BATCH = 500;

    private static final Logger log = LoggerFactory.getLogger(LogArchiver.class);
    private static final long TRY_AGAIN_NANOS = Duration.ofSeconds(1).toNanos();
    private static final long CLOSE_PATIENCE_MILLIS = 2_000;

    private final SystemLog systemLog;
    private final Backlog backlog;
    private final LogSpill spill;
    private final SystemLogArchive archive;
    private final SystemLogMetrics metrics;
    private final Ticker ticker;

    /** Guards the fields below. A pass that hangs while the node stops may still run when {@link #close} is called. */
    private final ReentrantLock working = new ReentrantLock();

    private boolean adopted;
    private boolean away;
    private long triedNanos;
    private boolean spillFails;

    LogArchiver(
            SystemLog systemLog,
            Backlog backlog,
            LogSpill spill,
            SystemLogArchive archive,
            SystemLogMetrics metrics,
            Ticker ticker) {
        this.systemLog = systemLog;
        this.backlog = backlog;
        this.spill = spill;
        this.archive = archive;
        this.metrics = metrics;
        this.ticker = ticker;
        metrics.watchBacklog(() -> backlog.size() + spill.lines());
    }

    @Override
    public Pass run() throws IOException {
        working.lock();
        try {
            return pass();
        } finally {
            working.unlock();
        }
    }

    private Pass pass() throws IOException {
        if (!adopted) {
            adopted = true;
            spill.adopt();
        }
        List<LogLine> fresh = backlog.take(BATCH);
        if (away && ticker.nanos() - triedNanos < TRY_AGAIN_NANOS) {
            return Pass.after(keep(fresh), BATCH);
        }
        boolean kept = false;
        try {
            append(fresh);
            kept = true;
            replay();
        } catch (RuntimeException e) {
            wentAway(e);
            return Pass.after(kept ? 0 : keep(fresh), BATCH);
        }
        cameBack();
        return fresh.size() == BATCH || !spill.isEmpty() ? Pass.MORE : Pass.DRAINED;
    }

    private void append(List<LogLine> lines) {
        if (lines.isEmpty()) {
            return;
        }
        int refused = archive.append(lines);
        metrics.archived(lines.size() - refused);
        lost(refused);
    }

    /** Removes lines from disk after archiving them. A crash in between archives them twice, which has no effect. */
    private void replay() throws IOException {
        if (spill.isEmpty()) {
            return;
        }
        SpillFile.Piece piece = spill.next(BATCH);
        append(piece.lines());
        lost(piece.unreadable());
        spill.done(piece);
    }

    private void lost(int lines) {
        backlog.drop(lines);
        metrics.dropped(lines);
    }

    /** Stores lines on disk, or in memory if the disk is full. Returns the number of lines on disk. */
    private int keep(List<LogLine> lines) {
        if (lines.isEmpty()) {
            return 0;
        }
        int taken = 0;
        try {
            taken = spill.add(lines);
            spillFails = false;
        } catch (IOException e) {
            if (!spillFails) {
                spillFails = true;
                log.atWarn().setCause(e).log("lines of the system log cannot be kept on disk; they wait in memory");
            }
        }
        metrics.spilled(taken);
        backlog.putBack(lines.subList(taken, lines.size()));
        return taken;
    }

    private void wentAway(RuntimeException failure) {
        triedNanos = ticker.nanos();
        if (!away) {
            away = true;
            log.atWarn().setCause(failure).log("the system log cannot be archived; it is kept on disk and tried again");
            systemLog.warn("the system log cannot be archived now and is kept on disk: " + Reasons.of(failure));
        }
    }

    private void cameBack() {
        if (away) {
            away = false;
            log.info("the system log is archived again");
            systemLog.info("the system log is archived again");
        }
        long lost = backlog.takeDropped();
        if (lost > 0) {
            systemLog.warn(
                    "%d lines of the system log were lost: there was no room for them, or they could not be stored"
                            .formatted(lost));
        }
    }

    /** Moves all lines published so far to the archive or to disk. */
    @Override
    public void ended() {
        try {
            for (int i = 0; i <= Backlog.MOST / BATCH && backlog.size() > 0; i++) {
                run();
            }
        } catch (IOException e) {
            log.atWarn().setCause(e).log("the last lines of the system log wait in memory");
        }
    }

    /** Leaves lines published during shutdown on disk. The next node that starts archives them. */
    void close() throws InterruptedException, IOException {
        if (!working.tryLock(CLOSE_PATIENCE_MILLIS, TimeUnit.MILLISECONDS)) {
            return;
        }
        try {
            keep(backlog.take(Backlog.MOST));
            spill.close();
        } finally {
            working.unlock();
        }
    }
}
