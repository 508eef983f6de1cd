package io.orth.admin.deadletter;

import java.time.Instant;

/** Messages that wait in a queue, for whoever wants them gone. */
public interface WaitingMessages {

    /** What was looked at and done; {@code end} if nothing is behind {@code last}. */
    record Part(long last, int done, int skipped, boolean end) {}

    /** Whether what it does is part of the caller's transaction; if not, nothing is asked of it inside one. */
    default boolean joinsTransactions() {
        return true;
    }

    /** How many there are. */
    long count(int queue);

    /** Discards up to {@code limit} that were pushed before that instant, behind {@code after}. */
    Part discard(int queue, long after, Instant pushedBefore, int limit);

    /** The one that comes next; {@code after} where there is none. */
    long next(int queue, long after, Instant pushedBefore);
}
