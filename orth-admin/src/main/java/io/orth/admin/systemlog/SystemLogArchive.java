package io.orth.admin.systemlog;

import java.time.Instant;
import java.util.List;

/** Keeps the lines of all admins. A line that exists, by node and number, is not changed. */
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
     * Keeps all lines except those that can never be stored; if it throws, some may have been kept.
     *
     * @return number of lines that can never be stored
     */
    int append(List<LogLine> lines);

    Found search(LogFilter filter);

    /** The last that were archived after {@code place}, at most {@code most}. */
    List<Archived> archivedAfter(long place, int most);

    /** Deletes the oldest lines before {@code olderThan}, at most {@code limit}; returns how many. */
    int cleanup(Instant olderThan, int limit);
}
