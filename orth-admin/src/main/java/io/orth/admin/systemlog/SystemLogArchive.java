package io.orth.admin.systemlog;

import java.time.Instant;
import java.util.List;

/** Store of the lines of all admins. An existing line, identified by node and number, is never changed. */
public interface SystemLogArchive {

    /**
     * A line and its place.
     *
     * @param place rises with each archived line, but a lower one may become visible after a higher one
     */
    record Archived(long place, LogLine line) {}

    /**
     * One page of a search.
     *
     * @param lines newest first; may be fewer than the limit although more follow
     * @param next cursor of the next page; null if nothing follows
     */
    record Found(List<LogLine> lines, Long next) {}

    /**
     * Stores all lines except those that can never be stored. If it throws, some may have been stored.
     *
     * @return number of lines that can never be stored
     */
    int append(List<LogLine> lines);

    Found search(LogFilter filter);

    /** Returns the last lines archived after {@code place}, at most {@code most}. */
    List<Archived> archivedAfter(long place, int most);

    /** Deletes up to {@code limit} of the oldest lines before {@code olderThan}. Returns the number of deleted lines. */
    int cleanup(Instant olderThan, int limit);
}
