package io.orth.executor.internal.log;

import io.orth.protocol.WireFormatException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Locates log files: {@code {root}/{yyyy-MM-dd}/{logId}.log}, with the day in the executor's time zone. The path consists of
 * numbers only. Also tracks the writer of each open log, so that all threads of a run share it, and the watchers of each log.
 */
public final class RunLogFiles {

    private static final int LAST_YEAR = 9_999;

    /** A day from midnight to midnight, in milliseconds. */
    private record Day(long from, long until, Path directory) {}

    private final Path root;
    private final Clock clock;
    private final long maxBytes;
    private final ConcurrentMap<Path, LogWriter> writers = new ConcurrentHashMap<>();
    private final ConcurrentMap<Path, List<Runnable>> watchers = new ConcurrentHashMap<>();

    /** The most recently requested day; the next request is usually for the same one. */
    private volatile Day lastDay;

    /** @param maxBytes maximum size of one run's log on disk */
    public RunLogFiles(Path root, Clock clock, long maxBytes) {
        this.root = root;
        this.clock = clock;
        this.maxBytes = maxBytes;
    }

    /** Returns a log to write to. The first line creates the file. */
    public RunLog open(long logId, long logDateTime) {
        return new RunLog(this, pathOf(logId, logDateTime), clock);
    }

    /** Returns the path of a run's log file, whether or not it exists. */
    public Path pathOf(long logId, long logDateTime) {
        if (logId <= 0) {
            throw new WireFormatException("'logId' must be positive");
        }
        return dayOf(logDateTime).directory().resolve(logId + ".log");
    }

    private Day dayOf(long logDateTime) {
        Day known = lastDay;
        if (known != null && logDateTime >= known.from() && logDateTime < known.until()) {
            return known;
        }
        ZoneId zone = clock.getZone();
        LocalDate date = Instant.ofEpochMilli(logDateTime).atZone(zone).toLocalDate();
        if (logDateTime < 0 || date.getYear() > LAST_YEAR) {
            throw new WireFormatException("'logDateTime' is not a time of our era");
        }
        Day day = new Day(
                Math.max(0, startOf(date, zone)), startOf(date.plusDays(1), zone), root.resolve(date.toString()));
        lastDay = day;
        return day;
    }

    private static long startOf(LocalDate date, ZoneId zone) {
        return date.atStartOfDay(zone).toInstant().toEpochMilli();
    }

    /** Returns the writer of a log, shared by all its users. Each caller must {@link #release} it. */
    LogWriter acquire(Path file) {
        return writers.compute(file, (path, shared) -> {
            LogWriter writer = shared == null ? new LogWriter(path, maxBytes) : shared;
            writer.addUser();
            return writer;
        });
    }

    void release(Path file) {
        writers.computeIfPresent(file, (path, writer) -> writer.removeUser() ? null : writer);
    }

    /** Calls {@code more} after every line of the log, on the thread that wrote it, until {@link #unwatch}. */
    void watch(Path file, Runnable more) {
        watchers.compute(file, (path, some) -> {
            List<Runnable> all = some == null ? new CopyOnWriteArrayList<>() : some;
            all.add(more);
            return all;
        });
    }

    void unwatch(Path file, Runnable more) {
        watchers.computeIfPresent(file, (path, all) -> {
            all.remove(more);
            return all.isEmpty() ? null : all;
        });
    }

    void grown(Path file) {
        List<Runnable> all = watchers.get(file);
        if (all != null) {
            all.forEach(Runnable::run);
        }
    }
}
