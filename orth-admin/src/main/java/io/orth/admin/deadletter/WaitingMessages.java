package io.orth.admin.deadletter;

import java.time.Instant;

/** Access to the waiting messages of a queue for purging them. */
public interface WaitingMessages {

    /** Result of a part. {@code last} is the last message read; {@code end} is true if nothing follows it. */
    record Part(long last, int done, int skipped, boolean end) {}

    /** Returns whether calls join the caller's transaction. If not, none is made inside a transaction. */
    default boolean joinsTransactions() {
        return true;
    }

    /** Returns the number of waiting messages. */
    long count(int queue);

    /** Discards up to {@code limit} messages with ids above {@code after} that were pushed before {@code pushedBefore}. */
    Part discard(int queue, long after, Instant pushedBefore, int limit);

    /** Returns the id of the next such message; {@code after} if there is none. */
    long next(int queue, long after, Instant pushedBefore);
}
