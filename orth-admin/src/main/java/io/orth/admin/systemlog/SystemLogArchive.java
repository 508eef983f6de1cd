package io.orth.admin.systemlog;

import java.time.Instant;
import java.util.List;

/** Where lines of all admins are kept for long. One that is already there, by its node and number, stays as it is. */
public interface SystemLogArchive {

    /**
     * A line and its place.
     *
     * @param place higher for what was archived later, though some may become visible after higher ones
     */
    record Archived(long place, LogLine line) {}

    /**
     * What a search came to.
     *
     * @param lines newest first
     * @param next the place to go on from; null where nothing follows. It is there as well where only so much was looked through,
     *     and then there may be less found than was asked for
     */
    record Found(List<LogLine> lines, Long next) {}

    /**
     * All of them are kept when it returns, but for those that it can never take; where it throws, some of them may be.
     *
     * @return how many it can never take
     */
    int append(List<LogLine> lines);

    Found search(LogFilter filter);

    /** The last that were archived after {@code place}, at most {@code most}. */
    List<Archived> archivedAfter(long place, int most);

    /** Removes the oldest of those before {@code olderThan}, at most {@code limit}; returns how many. */
    int cleanup(Instant olderThan, int limit);
}
